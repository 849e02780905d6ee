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

const KINDS: Record<string, string> = {
  embed: "Preparing memories for search", import: "Importing", maintain: "Maintenance", upkeep: "Maintenance", index: "Indexing a folder",
  reindex: "Changing the search model", propose: "Proposals by a language model", insights: "Gathering insights", names: "Finding names",
  summarise: "Summarising a conversation", reconcile: "Reading files again", backup: "Backup", drill: "Restoring the newest backup, as a test",
  tidy: "Looking for duplicates",
};

/** Errors that the service names by their code alone, with what to do about them. */
const ERRORS: Record<string, string> = {
  backup_not_found: "There was no sound backup yet: make one.", worker_lost: "The process that did it ended. Retry it.", timed_out: "It took too long. Retry it when less is going on.",
  store_full: "The disk is full: free some space, then retry.", store_busy: "The store was busy. It is tried again by itself.",
  store_damaged: "The copy is damaged. Check the health of the store, then retry.", store_io: "The file could not be read or written: look at the disk, and whether the folder is one and may be written.",
  store_unsafe: "Others could write where it belongs: look at the permissions of the folder.",
  key_missing: "The key is missing: put the key file back where the settings name it.", key_wrong: "The key does not open it: put the right key file back.",
  PermissionError: "The service may not write there: look at the permissions of the folder.",
  OSError: "The file could not be written: look at the disk.", FileNotFoundError: "The folder is not there: create it, or mount its disk.",
};

/** Returns the numbers that a job ended with, in words. */
export function outcome(result: Record<string, unknown>): string {
  return Object.entries(result).filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] > 0)
    .map(([name, value]) => name.endsWith("bytes") ? `${(value / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB ${name.replace(/_?bytes/, "")}`.trim()
      : `${value.toLocaleString("en")} ${name.replaceAll("_", " ")}`).join(", ");
}

export function JobRow({ job }: { job: Job }) {
  const act = useAct(IMPORTED);
  const path = { params: { path: { id: job.id } } };
  const failed = job.state === "error" || job.state === "timeout";
  const done = job.state === "success" ? outcome(job.result) : "";
  return (
    <>
      <span className="line-main">
        <strong>{KINDS[job.kind] ?? job.kind.replaceAll("_", " ")}</strong>
        {done !== "" && <span className="memory-meta">{done}</span>}
        {job.error !== null && <span className="form-problem">{ERRORS[job.error] ?? `${job.error.replaceAll("_", " ")}.`}</span>}
        {job.state === "running" && <Progress job={job} />}
      </span>
      <span className={failed ? "badge warn" : job.state === "success" ? "badge good" : "badge"}>{STATES[job.state]}</span>
      <Time at={job.finished_at ?? (job.state === "queued" ? job.due_at ?? job.created_at : job.created_at)} label={job.finished_at === null && job.state === "queued" ? "Due" : "Last"} />
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
