// Runs an act of a page, says in a message what happened, and reads again what it may have changed.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast, toastProblem, type Message } from "@/ui/toasts";
import { refresh } from "./queries";

interface Act {
  does: () => Promise<unknown>;
  message: string;
  /** What to do next, offered with the message. */
  next?: Message["act"];
}

/** Returns the mutation for acts on `areas`, which are query keys; with `memories`, what is known of memories is read again too. */
export function useAct(areas: string[], { memories = true } = {}) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ does }: Act) => does(),
    onSuccess: async (_, { message, next }) => {
      toast(message, next);
      await Promise.all([...areas.map((area) => queries.invalidateQueries({ queryKey: [area] })), ...(memories ? [refresh(queries)] : [])]);
    },
    onError: (cause) => toastProblem(cause),
  });
}
