// What waits for a person, and decisions about it.
import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { refresh } from "@/memory/queries";
import { toast, toastProblem } from "@/ui/toasts";

type Where = { project?: string };

const PAGE = 100;

export const inboxQuery = (where: Where) => infiniteQueryOptions({
  queryKey: ["review", "list", where],
  queryFn: ({ pageParam, signal }) => unwrap(api.GET("/v1/review", {
    params: { query: { ...where, limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) } }, signal,
  })),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.cursor,
});

/** Counts what waits, up to 100. */
export const countWaiting = (where: Where) => queryOptions({
  queryKey: ["review", "count", where],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET("/v1/review", { params: { query: { ...where, limit: PAGE } }, signal }))).items.length,
  staleTime: 10_000,
});

export type Verdict = "approve" | "approve beside" | "reject";
export type Undo = () => Promise<void>;

const DONE: Record<Verdict, string> = { approve: "Approved", "approve beside": "Approved, both kept", reject: "Rejected" };

/** Returns what decides about many memories at once and says how to take it back, before lists are read again. */
export function useDecide(): (ids: string[], verdict: Verdict) => Promise<Undo | null> {
  const queries = useQueryClient();
  return async (ids, verdict) => {
    try {
      const decision: "reject" | "approve" = verdict === "reject" ? "reject" : "approve";
      const { results } = await unwrap(api.POST("/v1/review/decide", { body: {
        decisions: ids.map((id) => ({ id, decision, ...(verdict === "approve beside" && { beside: true }) })),
      } }));
      const done = results.filter(({ result }) => result !== "refused");
      const refused = results.find(({ result }) => result === "refused");
      const undo = async (): Promise<void> => {
        const taken = (await unwrap(api.POST("/v1/review/undo", { body: { ids: done.map(({ id }) => id) } }))).results;
        await refresh(queries);
        const left = taken.filter(({ result }) => result === "refused");
        const back = taken.length - left.length;
        if (back > 0) toast(back === 1 ? "It waits again." : `${back} wait again.`, undefined, "decision");
        if (left[0]) toastProblem(new Error(`${left.length === 1 ? "Not taken back" : `${left.length} not taken back`}: ${left[0].reason}`));
      };
      if (done.length > 0) {
        toast(`${DONE[verdict]}${done.length === 1 ? "." : `: ${done.length} memories.`}`, { label: "Undo", run: () => void undo().catch(toastProblem) }, "decision");
      }
      if (refused) toastProblem(new Error(`${results.length - done.length} not decided: ${refused.reason}`));
      return done.length > 0 ? undo : null;
    } catch (cause) {
      toastProblem(cause);
      return null;
    }
  };
}
