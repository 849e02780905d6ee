// Marks the words of a question in a text.
import { useMemo, type ReactNode } from "react";

/** Words of questions that say nothing of what is asked for. */
const UNSAID = new Set(
  ("about and are but can did does for from had has have her his how into its not our she than that the their them then there these they this"
    + " those was were what when where which who why will with would you your").split(" "),
);

/** Returns what finds the words of a question, each from its beginning; null if there is nothing to mark. */
export function wordsOf(query: string): RegExp | null {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].filter((word) => !UNSAID.has(word)).slice(0, 12);
  if (words.length === 0) return null;
  const stems = words.map((word) => (word.length > 5 ? word.slice(0, word.length - 2) : word));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${stems.join("|")})[\\p{L}\\p{N}_]*`, "giu");
}

export function Highlight({ text, query }: { text: string; query: string }) {
  const words = useMemo(() => wordsOf(query), [query]);
  if (words === null) return text;
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(words)) {
    parts.push(text.slice(end, match.index), <mark key={match.index}>{match[0]}</mark>);
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return <>{parts}</>;
}
