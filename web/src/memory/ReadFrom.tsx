// The file or database that a description was read from, and reading it again.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { api, unwrap } from "@/api/client";
import type { Memory } from "@/api/types";
import { useMay } from "@/app/session";
import { Button } from "@/ui/Button";
import { Time } from "@/ui/Time";
import { toast, toastProblem } from "@/ui/toasts";
import { useKinds } from "./kinds";
import { refresh } from "./queries";
import { summary } from "./reconciled";

export function ReadFrom({ memory }: { memory: Memory }) {
  const isDescription = useKinds().get(memory.kind)?.nature === "derived";
  return isDescription && memory.source !== null ? <Source id={memory.source} /> : null;
}

function Source({ id }: { id: string }) {
  const queries = useQueryClient();
  const may = useMay();
  const path = { params: { path: { id } } };
  const found = useQuery({
    queryKey: ["described", id],
    queryFn: ({ signal }) => unwrap(api.GET("/v1/described/{id}", { ...path, signal })),
    retry: false,
  });
  const again = useMutation({
    mutationFn: () => unwrap(api.POST("/v1/described/{id}/regenerate", path)),
    onSuccess: async (result) => {
      toast(summary(result));
      await Promise.all([queries.invalidateQueries({ queryKey: ["described"] }), refresh(queries)]);
    },
    onError: (cause) => toastProblem(cause),
  });
  if (!found.data) return null;
  const source = found.data;
  return (
    <section>
      <h3>Read from</h3>
      <p className="memory-meta"><span title={source.file}>{source.name}</span><Time at={source.reconciled_at} label="Read" /></p>
      {may("imports") && (
        <Button icon={RefreshCw} disabled={again.isPending} aria-busy={again.isPending} onClick={() => again.mutate()}>
          {again.isPending ? "Reading…" : "Read again"}
        </Button>
      )}
    </section>
  );
}
