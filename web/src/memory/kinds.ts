// How kinds of memory are named, grouped and coloured.
import { useQuery, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { Kind } from "@/api/types";

export const kindsQuery = queryOptions({
  queryKey: ["kinds"],
  queryFn: async () => (await unwrap(api.GET("/v1/kinds"))).kinds,
  staleTime: Infinity,
});

export function useKinds(): Map<string, Kind> {
  const { data } = useQuery({ ...kindsQuery, select: (kinds) => new Map(kinds.map((kind) => [kind.name, kind])) });
  return data ?? new Map<string, Kind>();
}

/** Returns a kind as people write it, also before the table of kinds has arrived. */
export function labelOf(kinds: Map<string, Kind>, name: string): string {
  const words = name.replaceAll("_", " ");
  if (name === "entity") return "Thing"; // as the map and the filters call them
  return kinds.get(name)?.label ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export const FAMILIES = {
  said: "Said and read",
  person: "About people",
  rule: "Rules and decisions",
  trap: "Traps and lessons",
  code: "Code and data",
  thing: "Things",
  note: "Notes and facts",
} as const;
export type Family = keyof typeof FAMILIES;

const MEMBERS: Record<Exclude<Family, "note">, string> = {
  said: "message episode passage statement session_summary chat_insight session_insight project_overview",
  person: "profile preference goal",
  rule: "convention constraint decision human_feedback",
  trap: "gotcha error_pattern environment_quirk pr_review pr_finding pr_pattern pr_gotcha task_outcome",
  code: "codebase_discovery codebase_map dependency_relation file_summary code_cell_summary data_table_summary"
    + " sheet_table_summary connection_summary",
  thing: "entity observation relation",
};
const BY_KIND = new Map(Object.entries(MEMBERS).flatMap(([family, names]) =>
  names.split(" ").map((name) => [name, family as Family] as const)));

/** Returns the group of kinds that a kind is shown and coloured with. */
export function familyOf(kind: string): Family {
  return BY_KIND.get(kind) ?? "note";
}

/** What people and agents state, in contrast to what was said and read. */
export const KNOWLEDGE: string[] = Object.entries(MEMBERS).filter(([family]) => family !== "said").flatMap(([, names]) => names.split(" "))
  .concat(["note", "fact", "todo", "context", "project", "hypothesis"]).filter((name) => name !== "relation");

/** Kinds that people filter by, in groups; the rest is found in the full list. */
export const FILTERS: [string, string[]][] = [
  ["Conversations", ["message", "episode"]],
  ["Files", ["passage"]],
  ["About people", ["profile", "preference", "goal"]],
  ["Decisions", ["decision"]],
  ["Conventions", ["convention", "constraint"]],
  ["Gotchas", ["gotcha", "error_pattern", "environment_quirk"]],
  ["Patterns", ["pr_pattern"]],
  ["PR reviews", ["pr_review", "pr_finding", "pr_gotcha"]],
  ["Codebase", ["codebase_discovery", "codebase_map", "dependency_relation", "file_summary"]],
  ["Human feedback", ["human_feedback"]],
  ["Notes and facts", ["note", "fact", "todo", "context", "project", "hypothesis"]],
  ["Things and relations", ["entity", "observation", "relation"]],
];
