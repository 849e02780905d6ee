// Finding and listing memories.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";

export interface Narrowed {
  project?: string;
  kinds?: string[];
  origins?: string[];
  status?: string[];
  since?: string;
  until?: string;
  owner?: string;
  /** What held on that day. */
  as_of?: string;
}

export interface Asked extends Narrowed {
  query: string;
  limit: number;
  /** How much to add that was just missed. */
  near?: number;
  min_confidence?: number;
  flagged?: boolean;
}

/** A search of somebody who looks: it does not count as use of what it finds. */
export const recallQuery = (asked: Asked) => queryOptions({
  queryKey: ["recall", asked],
  queryFn: async ({ signal }) => ({ ...await unwrap(api.POST("/v1/recall", { body: { ...asked, record: false }, signal })), query: asked.query }),
  placeholderData: keepPreviousData,
  // each answer is another: comparing it with the one before would only take time
  structuralSharing: false,
});

const PAGE = 100;

export const listQuery = (listed: Narrowed) => infiniteQueryOptions({
  queryKey: ["memories", "list", listed],
  queryFn: ({ pageParam, signal }) => unwrap(api.GET("/v1/memories", {
    params: { query: { ...listed, limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) } }, signal,
  })),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.cursor,
  placeholderData: keepPreviousData,
});

/** How many memories filters leave, and how many another choice of kind, origin or owner would. */
export const facetsQuery = (narrowed: Narrowed) => queryOptions({
  queryKey: ["memories", "facets", narrowed],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/stats/facets", { params: { query: narrowed }, signal })),
  placeholderData: keepPreviousData,
});

const AROUND = 2;

/** The messages just before and after one of a conversation. */
export const aroundQuery = (session: string, id: string) => queryOptions({
  queryKey: ["sessions", session, "around", id],
  queryFn: async ({ signal }) => {
    const { memories } = await unwrap(api.GET("/v1/sessions/{id}/messages", {
      params: { path: { id: session }, query: { around: id, limit: AROUND } }, signal,
    }));
    const here = memories.findIndex((memory) => memory.id === id);
    return { before: memories.slice(0, here), after: memories.slice(here + 1) };
  },
});
