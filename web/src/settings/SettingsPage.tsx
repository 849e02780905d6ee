// What can be set for this browser, its sessions, and the health of the store.
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Stethoscope } from "lucide-react";
import { api, plain, unwrap } from "@/api/client";
import { useMay, useSession, type BrowserSession } from "@/app/session";
import { installing, isOnThisMachine } from "./installing";
import { useTheme, type Theme } from "@/app/theme";
import { Button } from "@/ui/Button";
import { counted } from "@/ui/counted";
import { CopyLine } from "@/ui/Copy";
import { Page } from "@/ui/Page";
import { Backups } from "./Backups";
import { Models } from "./Models";
import { Failed, problemText } from "@/ui/States";
import { Time } from "@/ui/Time";
import { toastProblem } from "@/ui/toasts";

const THEMES: [Theme, string][] = [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]];

export function SettingsPage() {
  const { ways, user, role } = useSession();
  const may = useMay();
  const [theme, setTheme] = useTheme();
  return (
    <Page title="Settings">
      <div className="settings">
        <section className="card">
          <h2>Appearance</h2>
          <div className="tabs" role="radiogroup" aria-label="Theme">
            {THEMES.map(([value, name]) => <button key={value} type="button" role="radio" aria-checked={theme === value} className={theme === value ? "tab chosen" : "tab"} onClick={() => setTheme(value)}>{name}</button>)}
          </div>
        </section>
        {may("manage") && <Health />}
        {may("manage") && <Backups />}
        {ways.length > 0 && <Sessions />}
        <Models />
        <section className="card">
          <h2>Take it with you</h2>
          <p className="faint">Everything that is yours, as lines that <code>holdfast import</code> takes back, or to read.</p>
          <div className="row">
            <a className="button" href="/v1/export" download="holdfast.jsonl"><Download size={15} aria-hidden />Export (.jsonl)</a>
            <a className="button" href="/v1/export?format=markdown" download="holdfast.md"><Download size={15} aria-hidden />Markdown</a>
          </div>
        </section>
        <section className="card">
          <h2>Agents</h2>
          <p className="faint">You are {user ?? "the user of this machine"}{role !== null && `, ${role}`}. An agent is set up once and then remembers and recalls by itself, in its project only:</p>
          <CopyLine text={installing("claude-code")} />
          <CopyLine text={installing("cursor")} />
          {!isOnThisMachine() && <p className="faint">KEY-FILE is a file with your API key that only you can read.</p>}
        </section>
      </div>
    </Page>
  );
}

function Health() {
  const check = useMutation({ mutationFn: () => unwrap(api.GET("/v1/doctor")) });
  const report = check.data;
  return (
    <section className="card">
      <h2>Health of the store</h2>
      {check.error && <p role="alert" className="form-problem">{problemText(check.error)}</p>}
      {report && (
        <div role="status">
          <p className={report.healthy ? "note good" : "note warn"}>{report.healthy ? "Healthy: nothing is wrong." : `${counted(report.problems.length, "problem")} found.`}</p>
          <ul>{report.problems.map((problem) => <li key={problem}>{problem}</li>)}</ul>
          <dl className="facts">
            <div><dt>Store</dt><dd>{report.location}</dd></div>
            <div><dt>Memories that you see</dt><dd>{report.memories.toLocaleString("en")}</dd></div>
            <div><dt>Events</dt><dd>{report.events.toLocaleString("en")}</dd></div>
            <div><dt>Model</dt><dd>{report.model}</dd></div>
            <div><dt>Encryption</dt><dd>{report.encryption}</dd></div>
            <div><dt>Jobs waiting</dt><dd>{report.jobs_waiting}</dd></div>
          </dl>
        </div>
      )}
      <Button icon={Stethoscope} disabled={check.isPending} onClick={() => check.mutate()}>{check.isPending ? "Checking…" : "Check it"}</Button>
    </section>
  );
}

const browserSessionsQuery = queryOptions({
  queryKey: ["session", "all"],
  queryFn: () => plain<{ sessions: BrowserSession[] }>("GET", "/auth/sessions").then(({ sessions }) => sessions),
});

function Sessions() {
  const queries = useQueryClient();
  const found = useQuery(browserSessionsQuery);
  const end = (id: string): void => void plain("POST", `/auth/sessions/${encodeURIComponent(id)}/end`, {})
    .then(() => queries.invalidateQueries({ queryKey: ["session"] })).catch(toastProblem);
  return (
    <section className="card">
      <h2>Signed-in browsers</h2>
      {found.error ? <Failed cause={found.error} /> : (
        <ul aria-label="Sessions">{found.data?.map((session) => (
          <li key={session.id} className="line">
            <span className="line-main"><strong>{session.current ? "This browser" : session.name ?? "A browser"}</strong><span className="memory-meta"><span>Signed in <Time at={session.created_at} /></span><span>ends <Time at={session.expires_at} /></span></span></span>
            <Button onClick={() => end(session.id)}>{session.current ? "Sign out" : "End"}</Button>
          </li>
        ))}</ul>
      )}
    </section>
  );
}
