// Whether the text of a memory stands in a file that is no prose: marks of Markdown mean something else there.
import type { Memory } from "@/api/types";
import { fileOf } from "./who";

/** Endings of files whose text people read as prose. */
const PROSE = new Set("md markdown mdx rst adoc txt text html htm xhtml pdf doc docx odt rtf ppt pptx odp eml msg epub".split(" "));
const ENDING = /[^\s/\\]\.([a-z][a-z0-9]{0,9})$/i;

/** Returns whether a text is the content of a file of code or data: a passage of one, or an attachment with such a name. */
export function isVerbatim(memory: Pick<Memory, "kind" | "role" | "name" | "metadata" | "scope">): boolean {
  const file = memory.kind === "passage" ? fileOf(memory) : memory.role === "user" || memory.role === "assistant" ? null : memory.name;
  const ending = ENDING.exec(file ?? "")?.[1]?.toLowerCase();
  return ending !== undefined && !PROSE.has(ending);
}
