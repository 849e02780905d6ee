// Why a memory waits or does not count, in words for people; what has none is shown as the service says it.

const WORDS: [RegExp, (...found: string[]) => string][] = [
  [/^kept for review as asked/, () => "Proposed"],
  [/^pending by hand$/, () => "Put back to decide again"],
  [/^user_flagged\b/, () => "Marked as wrong"],
  [/^agent_flagged\b/, () => "Marked as wrong by an agent"],
  [/^flagged as (\w+); /, (_, verdict) => `Marked as ${verdict}: now `],
  [/confidence ([\d.]+) is below [\d.]+/, (_, confidence) => `only ${Math.round(Number(confidence) * 100)}% sure`],
  [/contradicts memory [^\s,;]+/, () => "contradicts another memory"],
];

export function inWords(reason: string): string {
  const text = WORDS.reduce((said, [before, after]) => said.replace(before, after), reason);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
