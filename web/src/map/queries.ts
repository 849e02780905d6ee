// What the knowledge map shows: cards of knowledge, and things with their relations.
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema";
import type { Memory } from "@/api/types";
import { fileOf } from "@/memory/who";

export type Drawing = components["schemas"]["Drawing"];
export type Spot = Drawing["entities"][number];
type Where = { project?: string };

/** Cards of each type, the newest: the many of one do not keep the others off the map. */
const CARDS = 200;
const THINGS = 5_000;

/** Who sees what the team view shows. */
const SHARED = ["team", "project"];

/** The newest of each type, and whether there are more of some. */
export const cardsQuery = (where: Where, shared: boolean) => queryOptions({
  queryKey: ["memories", "map", where, shared],
  queryFn: async ({ signal }) => {
    const pages = await Promise.all(Object.values(TYPES).map((kinds) =>
      unwrap(api.GET("/v1/memories", { params: { query: { ...where, kinds, limit: CARDS, ...(shared && { visibility: SHARED }) } }, signal }))));
    return { memories: pages.flatMap((page) => page.memories), isCut: pages.some((page) => page.cursor !== null) };
  },
});

/** Things with their positions, and the relations among them. */
export const graphQuery = (where: Where) => queryOptions({
  queryKey: ["entities", "graph", where],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/graph", { params: { query: { ...where, limit: THINGS } }, signal })),
  staleTime: 30_000,
});

/** The groups of the file view, and the kinds in each. */
export const TYPES: Record<string, string[]> = {
  Files: ["file_summary", "codebase_map", "codebase_discovery"],
  "Code cells": ["code_cell_summary"],
  "Data tables": ["data_table_summary"],
  "Sheet tables": ["sheet_table_summary"],
  Connections: ["connection_summary", "dependency_relation"],
  Insights: ["chat_insight", "session_insight", "session_summary", "project_overview"],
  Rules: ["convention", "constraint", "decision", "human_feedback"],
  Traps: ["gotcha", "error_pattern", "environment_quirk", "pr_pattern", "pr_gotcha", "pr_finding", "pr_review", "task_outcome"],
  People: ["profile", "preference", "goal"],
  Things: ["entity"],
  Notes: ["note", "fact", "todo", "context", "project", "hypothesis"],
};

export function typeOf(memory: Memory): string {
  return Object.entries(TYPES).find(([, kinds]) => kinds.includes(memory.kind))?.[0] ?? "Notes";
}

export const UNCATEGORIZED = "Uncategorized";

export const NO_FILE = "About no file";

/** Returns the file or other subject that a memory is about. */
export function subjectOf(memory: Memory): string {
  return fileOf(memory) ?? memory.scope.id ?? NO_FILE;
}

/** Returns the topic of a memory: stated, else its first tag, else its file. */
export function topicOf(memory: Memory): string {
  const { topic } = memory.metadata;
  if (typeof topic === "string" && topic !== "") return topic;
  return memory.tags[0] ?? fileOf(memory) ?? UNCATEGORIZED;
}
