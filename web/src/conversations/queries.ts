// Conversations, their messages, and what was taken from them.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { Memory } from "@/api/types";

const PAGE = 100;

export const sessionsQuery = (project: string | undefined, archived: boolean) => infiniteQueryOptions({
  queryKey: ["sessions", "list", project, archived],
  queryFn: ({ pageParam, signal }) => unwrap(api.GET("/v1/sessions", {
    params: { query: { limit: PAGE, archived, ...(project !== undefined && { project }), ...(pageParam !== null && { cursor: pageParam }) } }, signal,
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

/** What was learned from a conversation, what waits included. */
export const learnedQuery = (id: string) => queryOptions({
  queryKey: ["sessions", id, "memories"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/sessions/{id}/memories", { params: { path: { id } }, signal }))).memories,
});

/** Returns the message that a memory was taken from, if it names one. */
export function takenFrom(memory: Memory): string | null {
  const { message } = memory.evidence;
  return typeof message === "string" ? message : null;
}
