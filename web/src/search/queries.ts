// Finding and listing memories.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema";

export interface Narrowed {
  project?: string;
  kinds?: string[];
  since?: string;
  until?: string;
}

export interface Asked extends Narrowed {
  query: string;
  limit: number;
  flagged?: boolean;
  /** What was valid on that day. */
  as_of?: string;
}

export const recallQuery = (asked: Asked) => queryOptions({
  queryKey: ["recall", asked],
  queryFn: ({ signal }) =>
    unwrap(api.POST("/v1/recall", { body: asked, signal })),
  placeholderData: keepPreviousData,
});

export interface Listed extends Narrowed {
  include?: string[];
}

const PAGE = 100;

export const listQuery = (listed: Listed) => infiniteQueryOptions({
  queryKey: ["memories", "list", listed],
  queryFn: ({ pageParam, signal }) => unwrap(api.GET("/v1/memories", {
    params: { query: { ...listed, limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) } }, signal,
  })),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.cursor,
  placeholderData: keepPreviousData,
});

export const countQuery = queryOptions({
  queryKey: ["memories", "count"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/stats", { params: { query: { project: "*" } }, signal }))).memories,
});

const AROUND = 2;

/** The messages just before and after one of a conversation. */
export const aroundQuery = (session: string, id: string) => queryOptions({
  queryKey: ["sessions", session, "around", id],
  queryFn: async ({ signal }) => {
    let before: components["schemas"]["Memory"][] = [];
    let cursor: string | null = null;
    do {
      const page: components["schemas"]["Page"] = await unwrap(api.GET("/v1/sessions/{id}/messages", {
        params: { path: { id: session }, query: { limit: 200, ...(cursor !== null && { cursor }) } }, signal,
      }));
      const all = [...before, ...page.memories];
      const here = all.findIndex((memory) => memory.id === id);
      if (here !== -1 && (here + AROUND < all.length || page.cursor === null)) {
        return { before: all.slice(Math.max(0, here - AROUND), here), after: all.slice(here + 1, here + 1 + AROUND) };
      }
      before = here === -1 ? all.slice(-AROUND) : all.slice(Math.max(0, here - AROUND));
      cursor = page.cursor;
    } while (cursor !== null);
    return { before: [], after: [] };
  },
});
