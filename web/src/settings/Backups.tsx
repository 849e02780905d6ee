// The newest backup, and the newest test of restoring one, as the service notes them.
import { useQuery } from "@tanstack/react-query";
import { outcome } from "@/sources/JobRow";
import { jobsQuery, type Job } from "@/sources/queries";
import { CopyLine } from "@/ui/Copy";
import { Failed } from "@/ui/States";
import { Time } from "@/ui/Time";

export function Backups() {
  const found = useQuery(jobsQuery);
  const newest = (kind: string): Job | undefined => found.data?.find((job) => job.kind === kind && job.finished_at !== null);
  const due = found.data?.find((job) => job.kind === "backup" && job.state === "queued")?.due_at;
  return (
    <section className="card">
      <h2>Backups</h2>
      {found.error ? <Failed cause={found.error} /> : (
        <dl className="facts">
          <div><dt>Newest</dt><dd><Outcome job={newest("backup")} none="None was made by this service yet." /></dd></div>
          <div><dt>Restore test</dt><dd><Outcome job={newest("drill")} none="Not yet." /></dd></div>
          {due != null && <div><dt>Next</dt><dd><Time at={due} /></dd></div>}
        </dl>
      )}
      <p className="faint">While the service runs it makes a backup each day beside the store. One at once, and a list of them, on the machine that holds the store:</p>
      <CopyLine text="holdfast backup" />
      <CopyLine text="holdfast backup --list" />
    </section>
  );
}

function Outcome({ job, none }: { job: Job | undefined; none: string }) {
  if (job?.finished_at == null) return none;
  return (
    <>
      <Time at={job.finished_at} />{" "}
      {job.state === "success" ? <span className="badge good">Sound</span> : <span className="badge warn">Failed</span>}{" "}
      <span className="faint">{job.state === "success" ? outcome(job.result) : job.error === "backup_not_found" ? "there was none yet" : job.error}</span>
    </>
  );
}
