// What waits for a person, and decisions about it.
import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { Decision, Waiting } from "@/api/types";
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

type Decidable = Pick<Waiting, "memory" | "found">;

/** Names what waits: a memory may wait itself, and with what a scan found in it. */
export const keyOf = ({ memory, found }: Decidable): string => found === null ? memory.id : `found:${memory.id}`;

/** Returns what decides about much at once and says how to take it back, before lists are read again. */
export function useDecide(): (items: Decidable[], verdict: Verdict) => Promise<Undo | null> {
  const queries = useQueryClient();
  return async (items, verdict) => {
    try {
      const [redactions, memories] = [items.filter(({ found }) => found !== null), items.filter(({ found }) => found === null)];
      const scanned = await decideFound(redactions.map(({ memory }) => memory.id), verdict);
      const reviewed = await decideWaiting(memories.map(({ memory }) => memory), verdict);
      const results = [...scanned, ...reviewed];
      const done = results.filter(({ result }) => result !== "refused");
      const refused = results.find(({ result }) => result === "refused");
      // what was redacted is gone, and cannot be taken back
      const kept = scanned.filter(({ result }) => result === "rejected").map(({ id }) => id);
      const undoable = reviewed.filter(({ result }) => result !== "refused").map(({ id }) => id);
      const canUndo = kept.length + undoable.length > 0;
      const undo = async (): Promise<void> => {
        const taken = [
          ...kept.length > 0 ? (await unwrap(api.POST("/v1/scan/decide", { body: { reopen: kept } }))).results : [],
          ...undoable.length > 0 ? (await unwrap(api.POST("/v1/review/undo", { body: { ids: undoable } }))).results : [],
        ];
        await refresh(queries);
        const left = taken.filter(({ result }) => result === "refused");
        const back = taken.length - left.length;
        if (back > 0) toast(back === 1 ? "It waits again." : `${back} wait again.`, undefined, "decision");
        if (left[0]) toastProblem(new Error(`${left.length === 1 ? "Not taken back" : `${left.length} not taken back`}: ${left[0].reason}`));
      };
      if (done.length > 0) {
        const act = canUndo ? { label: "Undo", run: () => void undo().catch(toastProblem) } : undefined;
        const said = reviewed.length > 0 ? DONE[verdict] : verdict === "reject" ? "Left as it is" : "Redacted";
        toast(`${said}${done.length === 1 ? "." : `: ${done.length} memories.`}`, act, "decision");
      }
      if (refused) toastProblem(new Error(`${results.length - done.length} not decided: ${refused.reason}`));
      return canUndo ? undo : null;
    } catch (cause) {
      toastProblem(cause);
      return null;
    }
  };
}

async function decideFound(ids: string[], verdict: Verdict): Promise<Decision[]> {
  if (ids.length === 0) return [];
  const body = verdict === "reject" ? { refuse: ids } : { accept: ids };
  return (await unwrap(api.POST("/v1/scan/decide", { body }))).results;
}

async function decideWaiting(memories: Waiting["memory"][], verdict: Verdict): Promise<Decision[]> {
  if (memories.length === 0) return [];
  // who wrote what waits may change it meanwhile: only what is on the page is approved
  const decisions = memories.map(({ id, version }) => verdict === "reject" ? { id, decision: "reject" as const } : {
    id, decision: "approve" as const, if_version: version, ...(verdict === "approve beside" && { beside: true }),
  });
  return (await unwrap(api.POST("/v1/review/decide", { body: { decisions } }))).results;
}
