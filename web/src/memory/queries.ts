// Reading memories and changing them; each change is announced and, where possible, can be undone.
import { queryOptions, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, Problem, unwrap } from "@/api/client";
import { refreshAreas } from "@/api/refresh";
import type { components } from "@/api/schema";
import type { Memory } from "@/api/types";
import { toast, toastProblem } from "@/ui/toasts";

export const memoryQuery = (id: string) => queryOptions({
  queryKey: ["memory", id],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/memories/{id}", { params: { path: { id } }, signal })),
  retry: (count, cause) => count < 2 && !(cause instanceof Problem && cause.status === 404),
});

export const historyQuery = (id: string) => queryOptions({
  queryKey: ["memory", id, "history"],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET("/v1/memories/{id}/history", { params: { path: { id } }, signal }))).changes,
});

/** What a memory rests on, and what depends on it. */
export const relatedQuery = (id: string) => queryOptions({
  queryKey: ["memory", id, "related"],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/memories/{id}/related", { params: { path: { id } }, signal })),
});

/** The working sessions that were given a memory. */
export const deliveriesQuery = (id: string) => queryOptions({
  queryKey: ["deliveries", id],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET("/v1/memories/{id}/deliveries", { params: { path: { id } }, signal }))).deliveries,
});

/** Marks everything that may show a memory as out of date. */
export function refresh(queries: QueryClient, ids: readonly string[] = []): Promise<void> {
  return refreshAreas(queries, ["memory", "memories", "recall", "review", "sessions", "entities", "facts", "about", "context", "usage"], ids);
}

type Named = Pick<Memory, "id">;

export type Revision = Partial<components["schemas"]["ReviseIn"]>;

/** Returns the acts on memories. Each says what happened; failures are shown and not thrown, but for `revise`. */
export function useMemoryActs() {
  const queries = useQueryClient();
  const act = async ({ id }: Named, does: () => Promise<unknown>, message: string, undo?: () => Promise<unknown>): Promise<boolean> => {
    try {
      await does();
    } catch (cause) {
      toastProblem(cause);
      return false;
    }
    toast(message, undo && { label: "Undo", run: () => void act({ id }, undo, "Undone.") });
    await refresh(queries, [id]);
    return true;
  };
  const path = (id: string) => ({ params: { path: { id } } });
  const restore = (id: string) => unwrap(api.POST("/v1/memories/{id}/restore", { ...path(id), body: {} }));
  const moved = async (id: string, project: string | null): Promise<void> => {
    const { results: [result] } = await unwrap(api.POST("/v1/review/move", { body: { ids: [id], project } }));
    if (result?.result === "refused") throw new Problem(409, result.code ?? "refused", result.reason);
  };
  const shared = async (id: string, visibility: Memory["visibility"]): Promise<string> => {
    const { results: [result] } = await unwrap(api.POST("/v1/review/move", { body: { ids: [id], visibility } }));
    if (result === undefined || result.result === "refused") throw new Problem(409, result?.code ?? "refused", result?.reason ?? "It was not shared.");
    return result.result;
  };
  const setPinned = (id: string, pinned: boolean) =>
    unwrap(api.PUT("/v1/memories/{id}/pin", { params: { path: { id }, query: { pinned } } }));
  return {
    /** Changes a memory unless somebody else was first: then a `Problem` with status 412 is thrown. */
    async revise(memory: Memory, revision: Revision): Promise<Memory> {
      const kept = await unwrap(api.PATCH("/v1/memories/{id}", {
        ...path(memory.id), headers: { "If-Match": `"${memory.version}"` }, body: revision,
      }));
      await refresh(queries, [memory.id]);
      return kept.memory ?? memory;
    },
    pin: (memory: Named & { pinned: boolean }) => act(
      memory,
      () => setPinned(memory.id, !memory.pinned),
      memory.pinned ? "Unpinned." : "Pinned: it never fades or gives way to a machine.",
      () => setPinned(memory.id, memory.pinned),
    ),
    forget: (memory: Named, message = "Forgotten.") => act(
      memory,
      () => unwrap(api.DELETE("/v1/memories/{id}", path(memory.id))), message, () => restore(memory.id),
    ),
    /** Says that something read from a message is not true: the message stays. Undoing believes it again. */
    async dismiss({ id, was, name, project }: { id: string; was: string; name?: string; project?: string }): Promise<void> {
      try {
        const { memory: rule } = await unwrap(api.POST("/v1/about/dismiss", { body: {
          id, was, ...(name !== undefined && { name }), ...(project !== undefined && { project }),
        } }));
        toast("Not believed any more. The message stays.", rule ? {
          label: "Undo", run: () => void act(rule, () => unwrap(api.DELETE("/v1/memories/{id}", path(rule.id))), "Undone: it is believed again."),
        } : undefined);
        await refresh(queries, [id]);
      } catch (cause) {
        toastProblem(cause);
      }
    },
    restore: (memory: Named) => act(
      memory, () => restore(memory.id), "It is back.",
      () => unwrap(api.DELETE("/v1/memories/{id}", path(memory.id))),
    ),
    erase: (memory: Memory) =>
      unwrap(api.DELETE("/v1/memories/{id}", { params: { path: { id: memory.id }, query: { hard: true } } }))
        .then(() => toast("Erased for good.")).then(() => refresh(queries, [memory.id])),
    /** Says that a memory helped, or is outdated or wrong: then it may have to wait, and is given to nobody meanwhile. */
    async feedback(memory: Named, verdict: "helpful" | "outdated" | "wrong"): Promise<void> {
      try {
        const before = await unwrap(api.GET("/v1/memories/{id}", path(memory.id)));
        const { status } = await unwrap(api.POST("/v1/review/{id}/feedback", { ...path(memory.id), body: { verdict } }));
        const waits = status === "pending" && before.status === "approved";
        const message = waits ? `Marked as ${verdict}: no agent gets it any more. It waits in the inbox.`
          : verdict === "helpful" ? "Thank you: it counts for more now." : `Marked as ${verdict}: it counts for less now.`;
        const undo = async (): Promise<unknown> => {
          if (waits) await unwrap(api.POST("/v1/review/{id}/approve", { ...path(memory.id), body: { beside: true } }));
          return unwrap(api.PATCH("/v1/memories/{id}", { ...path(memory.id), body: { confidence: before.confidence } }));
        };
        toast(message, { label: "Undo", run: () => void act(memory, undo, "Undone.") });
        await refresh(queries, [memory.id]);
      } catch (cause) {
        toastProblem(cause);
      }
    },
    confirm: (memory: Memory) => act(memory, () => unwrap(api.POST("/v1/review/{id}/confirm", path(memory.id))), "Confirmed: it still holds."),
    move: (memory: Memory, project: string | null) => act(
      memory, () => moved(memory.id, project), project === null ? "Moved out of all projects." : `Moved to ${project}.`,
      () => moved(memory.id, memory.project),
    ),
    /** Lets the team see a memory, or only its owner again. A member asks; an owner or admin decides. */
    async share(memory: Memory, visibility: "team" | "private"): Promise<void> {
      try {
        const result = await shared(memory.id, visibility);
        toast(result === "asked" ? "Asked: an owner or admin decides whether the team sees it." : visibility === "team" ? "The team sees it now." : "Only its owner sees it now.", {
          label: "Undo", run: () => void act(memory, () => shared(memory.id, memory.visibility), "Undone."),
        });
        await refresh(queries, [memory.id]);
      } catch (cause) {
        toastProblem(cause);
      }
    },
    /** Keeps a rule that nothing like an example is remembered; undoing lifts it. */
    async never(example: string): Promise<void> {
      try {
        const { memory: rule } = await unwrap(api.POST("/v1/exclusions", { body: { text: example } }));
        toast("Never remembered from now on. What is stored already stays.", rule ? {
          label: "Undo", run: () => void act(rule, () => unwrap(api.DELETE("/v1/memories/{id}", path(rule.id))), "Undone: it may be remembered again."),
        } : undefined);
        await refresh(queries);
      } catch (cause) {
        toastProblem(cause);
      }
    },
  };
}
