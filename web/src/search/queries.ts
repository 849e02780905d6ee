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

/** Rules of what is never remembered are settings: only a list that names their kind has them. */
export function withoutRules<T extends { kind: string }>(memories: readonly T[], kinds?: readonly string[]): T[] {
  return memories.filter(({ kind }) => kind !== "exclusion" || kinds?.includes(kind));
}

export const listQuery = (listed: Narrowed) => infiniteQueryOptions({
  queryKey: ["memories", "list", listed],
  queryFn: async ({ pageParam, signal }) => {
    const page = await unwrap(api.GET("/v1/memories", {
      params: { query: { ...listed, limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) } }, signal,
    }));
    return { ...page, memories: withoutRules(page.memories, listed.kinds) };
  },
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.cursor,
  placeholderData: keepPreviousData,
});

/** How many memories there are in a place of each kind, origin and status. */
export const facetsQuery = (where: { project?: string }) => queryOptions({
  queryKey: ["memories", "facets", where],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/stats/facets", { params: { query: where }, signal })),
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
