// Who said a memory: a person, an agent, an import, a file.
import { Bot, FileText, Globe, Import, User, Wand2, Wrench, type LucideIcon } from "lucide-react";
import type { Memory } from "@/api/types";

export interface Who {
  icon: LucideIcon;
  name: string;
  /** The sort of source, for the tooltip. */
  sort: string;
}

const SORTS: Record<string, [LucideIcon, string]> = {
  person: [User, "said by a person"],
  agent: [Bot, "said by an agent"],
  assistant: [Bot, "said by an assistant"],
  system: [Wrench, "said by the system"],
  import: [Import, "from an import"],
  file: [FileText, "from a file"],
  tool: [Wrench, "from a tool"],
  web: [Globe, "from the web"],
  extraction: [Wand2, "found by rules in what a person said"],
};

/** Returns the name of an actor such as `agent:claude@ada` or `user:ada`. */
export function actorName(actor: string, me: string | null): string {
  const agent = /^agent:(.+)@(.+)$/.exec(actor);
  if (agent) return agent[1] ?? actor;
  const user = actor.replace(/^user:/, "");
  return user === me ? "You" : user;
}

export function whoSaid(memory: Memory, me: string | null): Who {
  const [icon, sort] = SORTS[memory.said_by] ?? [User, `said by ${memory.said_by}`];
  return { icon, sort, name: nameOf(memory, me) };
}

function nameOf(memory: Memory, me: string | null): string {
  if (memory.name !== null) return memory.name;
  switch (memory.said_by) {
    case "person":
      return memory.owner === me ? "You" : memory.owner;
    case "agent":
      // what a person said to an agent, as the agent wrote it down
      return memory.role === "user" ? `${memory.owner === me ? "You" : memory.owner}, via ${actorName(memory.created_by, me)}` : actorName(memory.created_by, me);
    case "file":
      return fileOf(memory) ?? "File";
    case "extraction":
      return "Found by rules";
    default:
      return memory.said_by.charAt(0).toUpperCase() + memory.said_by.slice(1);
  }
}

/** Returns a title as plain text: marks of code say nothing in a heading. */
export function titleOf({ title }: Pick<Memory, "title">): string | null {
  return title?.replaceAll("`", "") ?? null;
}

export function fileOf(memory: Pick<Memory, "metadata" | "scope">): string | null {
  const file = memory.metadata["file"];
  if (typeof file === "string" && file !== "") return file;
  return memory.scope.type === "file" ? memory.scope.id : null;
}
