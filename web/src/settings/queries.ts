// The backups that the service keeps, and following a job while it runs.
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema";
import { jobsQuery, type Job } from "@/sources/queries";

export type Backup = components["schemas"]["ListedBackup"];

export const backupsQuery = queryOptions({
  queryKey: ["backups"],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/backups", { signal })),
});

/** Shows each step of a job as the service reports it; `onEnd` is called when it has ended. */
export function useJobSteps(id: string | undefined, onEnd: () => void): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (id === undefined) return;
    const steps = new EventSource(`/v1/jobs/${encodeURIComponent(id)}/events`);
    const show = ({ data }: MessageEvent<string>): void => {
      const step = JSON.parse(data) as Job;
      queries.setQueryData(jobsQuery.queryKey, (jobs) => jobs?.map((job) => (job.id === step.id ? step : job)));
    };
    steps.addEventListener("progress", show);
    steps.addEventListener("ended", (event: MessageEvent<string>) => {
      steps.close();
      show(event);
      onEnd();
    });
    return () => steps.close();
  }, [id, queries, onEnd]);
}
