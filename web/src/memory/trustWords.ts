// What the trust in a memory rests on, in words.
import type { Memory } from "@/api/types";
import { counted } from "@/ui/counted";
import { percentOf } from "./sure";

/** Returns what the figure rests on, as one sentence for people. */
export function trustInWords({ confidence, said_by: from, use_count: uses, edited, pinned }: Memory): string {
  const person = edited || pinned ? "a person stands by it" : from === "person" ? "a person said it" : `it comes from ${SOURCES[from] ?? from}`;
  return `Trust: ${percentOf(confidence)}% sure. ${person.charAt(0).toUpperCase()}${person.slice(1)}; ${uses === 0 ? "not used yet" : `used ${counted(uses, "time")}`}. It rises when it is confirmed and used, and falls when it is marked as wrong.`;
}

const SOURCES: Record<string, string> = {
  agent: "an agent", assistant: "an assistant", import: "an import", file: "a file", tool: "a tool", web: "the web", extraction: "rules that read what was said",
  model: "a language model", system: "the system",
};
