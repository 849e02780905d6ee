// Conversations, their messages, and what was taken from them.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { Memory } from "@/api/types";

const PAGE = 100;

export const sessionsQuery = (project: string | undefined) => infiniteQueryOptions({
  queryKey: ["sessions", "list", project],
  queryFn: ({ pageParam, signal }) => unwrap(api.GET("/v1/sessions", {
    params: { query: { limit: PAGE, ...(project !== undefined && { project }), ...(pageParam !== null && { cursor: pageParam }) } }, signal,
  })),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.cursor,
});

export const conversationQuery = (id: string) => queryOptions({
  queryKey: ["sessions", id],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/sessions/{id}", { params: { path: { id } }, signal })),
});

export const messagesQuery = (id: string) => infiniteQueryOptions({
  queryKey: ["sessions", id, "messages"],
  queryFn: ({ pageParam, signal }) => unwrap(api.GET("/v1/sessions/{id}/messages", {
    params: { path: { id }, query: { limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) } }, signal,
  })),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.cursor,
});

const KNOWLEDGE = ["profile", "preference", "goal", "project", "constraint", "todo", "fact", "note", "decision", "convention", "gotcha"];

/** Knowledge of the conversation's project, which names the message that it rests on. */
export const knowledgeQuery = (project: string | null) => queryOptions({
  queryKey: ["memories", "taken", project],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/memories", {
    params: { query: { kinds: KNOWLEDGE, include: ["pending"], limit: 500, ...(project !== null && { project }) } }, signal,
  }))).memories,
});

/** Returns the message that a memory was taken from, if it names one. */
export function takenFrom(memory: Memory): string | null {
  const { message } = memory.evidence;
  return typeof message === "string" ? message : null;
}
