// Marks what is shown as out of date after a change, without loading a long list again as a whole.
import type { InfiniteData, Query, QueryClient } from "@tanstack/react-query";
import { api, Problem, unwrap } from "./client";
import type { Memory } from "./types";

/** Pages from which a list is mended at the memories that changed, and not loaded again. */
const LONG = 5;

type Pages = InfiniteData<{ memories: Memory[] }>;

function isLong(query: Query): boolean {
  const { data } = query.state;
  return typeof data === "object" && data !== null && "pages" in data && (data as Pages).pages.length >= LONG;
}

/** Loads the queries of some areas again; in long lists only the memories that changed. */
export async function refreshAreas(queries: QueryClient, areas: readonly string[], ids: readonly string[] = []): Promise<void> {
  const concerned = ({ queryKey }: Query): boolean => areas.includes(String(queryKey[0]));
  const long = queries.getQueryCache().findAll({ predicate: (query) => concerned(query) && isLong(query) });
  await Promise.all([
    outdate(queries, (query) => concerned(query) && !isLong(query)),
    queries.invalidateQueries({ predicate: (query) => concerned(query) && isLong(query), refetchType: "none" }),
    long.length > 0 ? mend(queries, long, ids) : null,
  ]);
}

/**
 * Loads queries again. One that is being loaded for the first time goes on, and its response may be from before the change, so it
 * is loaded again after that.
 */
export async function outdate(queries: QueryClient, concerned: (query: Query) => boolean = () => true): Promise<void> {
  const first = queries.getQueryCache().findAll({ fetchStatus: "fetching", predicate: (query) => concerned(query) && query.state.data === undefined });
  await Promise.all([
    queries.invalidateQueries({ predicate: concerned }),
    ...first.map(async (query) => {
      await query.promise?.catch(() => undefined);
      await queries.invalidateQueries({ predicate: (other) => other === query });
    }),
  ]);
}

async function mend(queries: QueryClient, long: Query[], ids: readonly string[]): Promise<void> {
  const now = new Map(await Promise.all(ids.slice(0, 20).map(async (id) => [id, await current(id)] as const)));
  for (const { queryKey } of long) {
    queries.setQueryData<Pages>(queryKey, (data) => data && {
      ...data,
      pages: data.pages.map((page) => Array.isArray(page.memories) && page.memories.some(({ id }) => now.has(id))
        ? { ...page, memories: page.memories.flatMap((memory) => now.has(memory.id) ? now.get(memory.id) ?? [] : memory) } : page),
    });
  }
}

async function current(id: string): Promise<Memory | null> {
  try {
    return await unwrap(api.GET("/v1/memories/{id}", { params: { path: { id } } }));
  } catch (cause) {
    if (cause instanceof Problem && cause.status === 404) return null;
    throw cause;
  }
}
