// Markdown as plain text, for lists: marks of headings, code and tables say nothing in two lines.

const RULE = /^\s*(?:\|?[\s:|-]*-{3,}[\s:|-]*|```.*|~~~.*)$/;

function line(text: string): string {
  const row = /^\s*\|(.*)\|\s*$/.exec(text)?.[1];
  return (row === undefined ? text : row.split("|").map((cell) => cell.trim()).filter(Boolean).join(" · "))
    .replace(/^\s{0,3}(?:#{1,6}|>)\s+/, "").replace(/^(\s*)[-*+]\s+/, "$1• ");
}

/** Returns a text without the marks of Markdown, and without empty lines. */
export function plainText(text: string): string {
  return text.replace(/<!--[^]*?-->/g, "").split("\n").filter((each) => each.trim() !== "" && !RULE.test(each)).map(line).join("\n")
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, "$1").replace(/`([^`\n]+)`/g, "$1").replace(/^[\s:;,.)\]|]+(?=\S)/, "");
}
