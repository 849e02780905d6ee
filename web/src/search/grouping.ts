// Hits grouped by where they are from: a conversation, a file, a module, or alone.
import type { Hit } from "@/api/types";
import { fileOf } from "@/memory/who";

export interface Group {
  key: string;
  sort: "conversation" | "file" | "module" | "alone";
  title: string;
  session: string | null;
  hits: Hit[];
}

/** Returns the groups in the order of their best hits. */
export function grouped(hits: readonly Hit[]): Group[] {
  const groups = new Map<string, Group>();
  for (const hit of hits) {
    const { memory } = hit;
    const file = fileOf(memory);
    const module = typeof memory.metadata["module"] === "string" ? memory.metadata["module"] : null;
    const group: Group = memory.session !== null && memory.session !== ""
      ? { key: `session ${memory.session}`, sort: "conversation", title: hit.conversation ?? memory.session, session: memory.session, hits: [] }
      : file !== null ? { key: `file ${file}`, sort: "file", title: file, session: null, hits: [] }
        : module !== null ? { key: `module ${module}`, sort: "module", title: module, session: null, hits: [] }
          : { key: memory.id, sort: "alone", title: "", session: null, hits: [] };
    const known = groups.get(group.key) ?? group;
    known.hits.push(hit);
    groups.set(group.key, known);
  }
  return [...groups.values()];
}

/** How likely a memory has to answer to be a hit; what is below is shown as just missed. */
export const LEAST = 0.25;
