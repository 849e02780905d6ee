// One piece of background work, with live progress.
import { RotateCcw, Square } from "lucide-react";
import { api, unwrap } from "@/api/client";
import { useAct } from "@/memory/useAct";
import { Button } from "@/ui/Button";
import { Time } from "@/ui/Time";
import { IMPORTED, type Job } from "./queries";

const STATES: Record<Job["state"], string> = {
  queued: "Waiting", running: "Running", success: "Done", timeout: "Took too long", error: "Failed", cancelled: "Cancelled",
};

export function JobRow({ job }: { job: Job }) {
  const act = useAct(IMPORTED);
  const path = { params: { path: { id: job.id } } };
  const failed = job.state === "error" || job.state === "timeout";
  const kind = job.kind.replaceAll("_", " ");
  return (
    <>
      <span className="line-main">
        <strong>{kind.charAt(0).toUpperCase() + kind.slice(1)}</strong>
        {job.error !== null && <span className="form-problem">{job.error}</span>}
        {job.state === "running" && <Progress job={job} />}
      </span>
      <span className={failed ? "badge warn" : job.state === "success" ? "badge good" : "badge"}>{STATES[job.state]}</span>
      <Time at={job.finished_at ?? job.created_at} />
      {failed && <Button icon={RotateCcw} onClick={() => act.mutate({ does: () => unwrap(api.POST("/v1/jobs/{id}/retry", path)), message: "It is tried again." })}>Retry</Button>}
      {(job.state === "queued" || job.state === "running") && <Button icon={Square} onClick={() => act.mutate({ does: () => unwrap(api.DELETE("/v1/jobs/{id}", path)), message: "Cancelled." })}>Cancel</Button>}
    </>
  );
}

export function Progress({ job }: { job: Job }) {
  const { done, total } = job;
  return (
    <span className="row progress-line">
      <progress value={total === null ? undefined : done} max={total ?? undefined} aria-label="Progress" />
      <span className="faint number">{done.toLocaleString("en")}{total !== null && ` of ${total.toLocaleString("en")}`}{job.remaining_seconds != null && `, about ${job.remaining_seconds} s left`}</span>
    </span>
  );
}
