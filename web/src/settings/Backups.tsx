// Backups of the store: those there are, one at once, and trying the newest, with live progress.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Archive, ChevronDown, FlaskConical, RotateCcw } from "lucide-react";
import { useCallback } from "react";
import { api, unwrap } from "@/api/client";
import { JobRow } from "@/sources/JobRow";
import { isAtWork, jobsQuery, type Job } from "@/sources/queries";
import { Button } from "@/ui/Button";
import { CopyLine } from "@/ui/Copy";
import { counted } from "@/ui/counted";
import { Failed, Loading } from "@/ui/States";
import { Time } from "@/ui/Time";
import { toast, toastProblem } from "@/ui/toasts";
import { backupsQuery, useJobSteps, type Backup } from "./queries";

export function Backups() {
  const queries = useQueryClient();
  const found = useQuery(backupsQuery);
  const jobs = useQuery(jobsQuery).data?.filter(({ kind }) => kind === "backup" || kind === "drill") ?? [];
  const running = jobs.find(isAtWork);
  const reload = useCallback(() => void Promise.all([
    queries.invalidateQueries({ queryKey: backupsQuery.queryKey }), queries.invalidateQueries({ queryKey: jobsQuery.queryKey }),
  ]), [queries]);
  useJobSteps(running?.id, reload);
  const start = useMutation({
    mutationFn: (kind: "backup" | "drill") => unwrap(kind === "backup" ? api.POST("/v1/backups") : api.POST("/v1/backups/drill")),
    onSuccess: (job) => toast(job.kind === "backup" ? "A backup is being made." : "The newest backup is being tried."),
    onError: (cause) => toastProblem(cause),
    onSettled: reload,
  });
  const due = jobs.find(({ kind, state }) => kind === "backup" && state === "queued")?.due_at;
  const busy = running !== undefined || start.isPending;
  const shown = [...new Set([running, ...["backup", "drill"].map((kind) => lastFailed(jobs, kind))])].filter((job) => job !== undefined);
  const make = <Button look={found.data?.backups.length === 0 ? "primary" : "plain"} icon={Archive} disabled={busy} onClick={() => start.mutate("backup")}>Make one now</Button>;
  return (
    <section className="card" aria-labelledby="backups">
      <h2 id="backups">Backups</h2>
      {found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} /> : !found.data ? <Loading rows={2} /> : (
        <>
          <p className="faint">
            {found.data.every_days === 0 ? "None is made by itself: the setting backup_days is 0." : `While the service runs it makes one ${found.data.every_days === 1 ? "each day" : `every ${found.data.every_days} days`} and tries the newest ${found.data.every_days > 7 ? "after each" : "each week"}.`}
            {due != null && !running && <> The next is due <Time at={due} />.</>} The newest {found.data.keep} stay, and one of each of {found.data.days} days, in <code>{found.data.folder}</code>
          </p>
          {found.data.backups.length === 0 ? <p className="note warn">There is no backup yet. Make the first one now: it takes seconds, and everybody may go on.</p>
            : <ul className="lines" aria-label="Backups">{found.data.backups.map((backup) => <li key={backup.path}><BackupRow backup={backup} /></li>)}</ul>}
          <div className="row">
            {make}
            {found.data.backups.length > 0 && <Button icon={FlaskConical} disabled={busy} onClick={() => start.mutate("drill")}>Try the newest</Button>}
          </div>
          {shown.length > 0 && <ul className="lines" aria-label="Work on backups" aria-live="polite">{shown.map((job) => <li key={job.id} className="line"><JobRow job={job} /></li>)}</ul>}
        </>
      )}
    </section>
  );
}

/** Returns the last job of a kind if it failed. */
function lastFailed(jobs: Job[], kind: string): Job | undefined {
  const last = jobs.find((job) => job.kind === kind && (job.finished_at !== null || job.error !== null));
  return last?.error != null ? last : undefined;
}

function BackupRow({ backup }: { backup: Backup }) {
  const size = `${(backup.size / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
  return (
    <details className="backup">
      <summary className="line">
        <span className="line-main">
          <strong><Time at={backup.made_at} label="Made" />{backup.before !== null && `, before a change: ${backup.before}`}</strong>
          <span className="memory-meta">
            <span>{counted(backup.memories, "memory", "memories")}</span><span>{size}</span>
            <span>{backup.encryption === "off" ? "not encrypted" : "encrypted"}</span>
            {backup.tried_at !== null && <span>tried <Time at={backup.tried_at} /></span>}
            {backup.expires_at !== null && <span>deleted <Time at={backup.expires_at} label="If the next are made as planned, on" /></span>}
          </span>
        </span>
        {backup.problems.length > 0 ? <span className="badge warn">Damaged</span> : <span className="badge good">{backup.tried_at === null ? "Sound" : "Sound, tried"}</span>}
        <ChevronDown size={15} aria-hidden />
      </summary>
      <div className="backup-more">
        {backup.problems.map((problem) => <p key={problem} className="form-problem">{problem}</p>)}
        <dl className="facts">
          <div><dt>File</dt><dd>{backup.path}</dd></div>
          <div><dt>Holds</dt><dd>{counted(backup.memories, "memory", "memories")} of the service’s owner, {counted(backup.events, "event")} of all, from Holdfast {backup.version}</dd></div>
          <div><dt>SHA-256</dt><dd>{backup.digest}</dd></div>
        </dl>
        <p className="faint"><RotateCcw size={13} aria-hidden /> To restore it, end everything that uses the store, then on the machine that holds it:</p>
        <CopyLine text={backup.restore} />
        <p className="faint">What is there is backed up first, and what was erased since stays erased. It asks before it replaces anything.</p>
      </div>
    </details>
  );
}
