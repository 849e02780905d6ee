/** Returns a message as a sentence; what begins it stays as it is written where that is the name of a file or a field. */
export function sentence(text: string): string {
  const isName = /^\S*[^\s\p{L}'’,-]/u.test(text);
  const whole = isName ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!…]$/.test(whole) ? whole : `${whole}.`;
}
