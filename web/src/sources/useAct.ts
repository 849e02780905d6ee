// Runs an act on a source, folder or job, tells it, and refreshes what shows it.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh } from "@/memory/queries";
import { toast, toastProblem } from "@/ui/toasts";

export function useAct() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ does }: { does: () => Promise<unknown>; told: string }) => does(),
    onSuccess: async (_, { told }) => {
      toast(told);
      await Promise.all([...["sources", "folders", "jobs"].map((area) => queries.invalidateQueries({ queryKey: [area] })), refresh(queries)]);
    },
    onError: (cause) => toastProblem(cause),
  });
}
