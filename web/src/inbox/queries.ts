// What waits for a person.
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";

/** Counts what waits, up to 100. */
export const countWaiting = (where: { project?: string }) => queryOptions({
  queryKey: ["review", "count", where],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET("/v1/review", { params: { query: { ...where, limit: 100 } }, signal }))).items.length,
  staleTime: 10_000,
});
