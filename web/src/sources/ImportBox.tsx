// Bringing in a file: dropped or chosen, looked at first, then kept.
import { useMutation } from "@tanstack/react-query";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Upload } from "lucide-react";
import { useRef, useState } from "react";
import { api, unwrap } from "@/api/client";
import { OUTSIDE } from "@/api/place";
import type { components } from "@/api/schema";
import { projectsQuery } from "@/projects/queries";
import { useAct } from "@/memory/useAct";
import { Button } from "@/ui/Button";
import { counted } from "@/ui/counted";
import { problemText } from "@/ui/States";
import { IMPORTED, platformName } from "./queries";

type Report = components["schemas"]["ImportOut"];
const LARGEST = 90 * 1024 * 1024;

async function base64(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error("The file cannot be read."));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}

async function send(file: File, project: string, dryRun: boolean): Promise<Report | null> {
  if (file.size > LARGEST) throw new Error("The file is too large for the browser: use `holdfast import FILE`.");
  const sent = await unwrap(api.POST("/v1/import", { body: {
    filename: file.name, content_base64: await base64(file), dry_run: dryRun, ...(project !== "" && { project }),
  } as never }));
  return "outcomes" in sent ? sent : null;
}

const OUTCOMES: Record<string, string> = {
  created: "new", redacted: "new, with secrets taken out", pending: "new, and wait for your approval", merged: "known already, and surer now",
  duplicate: "known already", superseded: "newer than what is known", updated: "changed", refused: "refused",
};

/** Returns what an import would bring, in words. */
function outcomes(counts: Record<string, number>): string {
  return Object.entries(counts).filter(([, count]) => count > 0).map(([name, count]) => `${count.toLocaleString("en")} ${OUTCOMES[name] ?? name}`).join(", ");
}

/** Returns what an import would leave out, and why: the reasons of the most. */
function leftOut(skipped: Report["skipped"]): string {
  const reasons = new Map<string, number>();
  for (const { reason, count } of skipped as { reason: string; count: number }[]) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  const sorted = [...reasons].sort(([, one], [, other]) => other - one);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const named = sorted.slice(0, REASONS).map(([reason, count]) => `${reason} (${count.toLocaleString("en")})`);
  return `${counted(total, "item")} left out: ${[...named, ...(sorted.length > REASONS ? ["…"] : [])].join(", ")}`;
}

const REASONS = 4;

export function ImportBox() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery).data ?? [];
  const [project, setProject] = useState(search.project === OUTSIDE ? "" : search.project ?? "");
  const [file, setFile] = useState<File | null>(null);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const trial = useMutation({ mutationFn: (chosen: File) => send(chosen, project, true) });
  const act = useAct(IMPORTED);
  const choose = (chosen: File | undefined): void => {
    if (!chosen) return;
    setFile(chosen);
    trial.mutate(chosen);
  };
  const keep = async (): Promise<void> => {
    if (!file) return;
    await act.mutateAsync({
      does: () => send(file, project, false),
      message: trial.data === null ? `${file.name} is being brought in.` : `${file.name} was brought in.`,
      ...(trial.data?.items["conversation"] && { next: { label: "Show the conversations", run: () => void navigate({ to: "/conversations", search: ({ project: here }) => ({ project: here }) }) } }),
    });
    setFile(null);
    trial.reset();
  };
  return (
    // the button below does the same for keyboards
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={over ? "card import-box over" : "card import-box"} role="group" aria-label="Import a file"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        choose(event.dataTransfer.files[0]);
      }}
    >
      <input ref={input} type="file" className="unseen" tabIndex={-1} aria-label="File to import" onChange={(event) => choose(event.target.files?.[0])} />
      <div className="row">
        <Button icon={Upload} onClick={() => input.current?.click()}>Choose a file</Button>
        <span className="faint">or drop it here: exports of ChatGPT and Claude (.zip, .json), notes, memories of other programs</span>
        <span className="grow" />
        <label className="inline">Into<select value={project} onChange={(event) => setProject(event.target.value)}><option value="">No project</option>{projects.map(({ name }) => <option key={name}>{name}</option>)}</select></label>
      </div>
      {trial.isPending && <p role="status" className="faint">Looking at {file?.name}…</p>}
      {trial.error && <p role="alert" className="form-problem">{problemText(trial.error)}</p>}
      {file && trial.isSuccess && (
        <div className="note" role="status">
          {trial.data === null ? <p>{file.name} is large: it becomes a job that you can watch below.</p> : (
            <p><strong>{platformName(trial.data.format)}</strong>: {Object.entries(trial.data.items).map(([name, count]) => counted(count, name)).join(", ")}. Of these, {outcomes(trial.data.outcomes)}{trial.data.skipped.length > 0 && `; ${leftOut(trial.data.skipped)}`}{trial.data.personal > 0 && `; ${counted(trial.data.personal, "item")} with personal data, such as an IBAN, which only you see`}.</p>
          )}
          <div className="row"><Button look="primary" disabled={act.isPending} onClick={() => void keep()}>{act.isPending ? "Bringing it in…" : "Bring it in"}</Button><Button onClick={() => {
            setFile(null);
            trial.reset();
          }}>Cancel</Button></div>
        </div>
      )}
    </div>
  );
}
