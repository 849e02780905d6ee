// The module map of a project: modules, their files, dependencies, tests, traps, and how much of the code it covers.
import { ConversationLink } from "@/memory/Relations";
import { counted } from "@/ui/counted";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Boxes } from "lucide-react";
import { useState } from "react";
import { api, Problem, unwrap } from "@/api/client";
import { OUTSIDE } from "@/api/place";
import type { components } from "@/api/schema";
import { projectsQuery } from "@/projects/queries";
import { MemoryCard } from "@/memory/MemoryCard";
import { Button } from "@/ui/Button";
import { CopyLine } from "@/ui/Copy";
import { Page } from "@/ui/Page";
import { plainText } from "@/ui/plainText";
import { Empty, Failed, Loading } from "@/ui/States";

type Module = components["schemas"]["Module"];

const mapQuery = (project: string) => queryOptions({
  queryKey: ["maps", project],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/projects/{project}/map", { params: { path: { project } }, signal })),
  retry: false,
});

const trapsQuery = (project: string) => queryOptions({
  queryKey: ["memories", "traps", project],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/memories", {
    params: { query: { project, kinds: ["gotcha", "error_pattern", "convention", "constraint"], limit: 500 } }, signal,
  }))).memories,
});

const CONFIDENCE: Record<Module["confidence"], string> = { shallow: "Scanned", partial: "Partly known", mapped: "Well known" };
const LISTS = [["Core files", "core_files"], ["Entry points", "entry_points"], ["Front end", "frontend_files"], ["Tests", "test_files"], ["Configuration", "config_files"], ["Documents", "doc_files"]] as const;

export function ModulesPage() {
  const { project } = useSearch({ strict: false });
  if (project === undefined || project === OUTSIDE) return <ChooseProject />;
  return <ModuleMap key={project} project={project} />;
}

function ChooseProject() {
  const projects = useQuery(projectsQuery).data ?? [];
  const navigate = useNavigate();
  return (
    <Page title="Module map">
      <Empty title="Of which project?" icon={Boxes}>
        <p>A module map shows the parts of a project’s code: files, tests, what they need, and what to watch out for there.</p>
        {projects.length === 0 && <p>There is no project yet. A scan of a folder of code makes one:</p>}
        {projects.length === 0 && <CopyLine text="holdfast map scan --project NAME" />}
        <div className="row">{projects.map(({ name }) => <Button key={name} onClick={() => void navigate({ to: "/modules", search: { project: name } })}>{name}</Button>)}</div>
      </Empty>
    </Page>
  );
}

function ModuleMap({ project }: { project: string }) {
  const found = useQuery(mapQuery(project));
  const [typed, setTyped] = useState("");
  const missing = found.error instanceof Problem && found.error.status === 404;
  const known = Object.values(found.data?.modules ?? {}).filter((module) => !module.is_gone);
  const modules = known.filter((module) => `${module.name} ${module.description} ${module.keywords.join(" ")}`.toLowerCase().includes(typed.toLowerCase()))
    .sort((a, b) => b.sessions.length - a.sessions.length || a.name.localeCompare(b.name));
  return (
    <Page
      title="Module map"
      about={found.data && counted(known.length, "module")}
      acts={<input className="narrow" type="search" aria-label="Filter modules" placeholder="Filter modules" value={typed} onChange={(event) => setTyped(event.target.value)} />}
    >
      {found.isPending ? <Loading /> : missing ? (
        <Empty title={`${project} has no module map yet`} icon={Boxes}>
          <p>A scan of its code finds modules, files, tests and dependencies, so that agents open the right file first:</p>
          <CopyLine text={`holdfast map scan --project ${project}`} />
        </Empty>
      ) : found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} /> : (
        <>
          <Known modules={known} />
          {modules.length === 0 && <Empty title="No module fits" icon={Boxes} />}
          <ul className="lines modules" aria-label="Modules, the most opened first">{modules.map((module) => <li key={module.name}><ModuleView module={module} project={project} /></li>)}</ul>
        </>
      )}
    </Page>
  );
}

/** How much is known beyond what a scan finds; nothing is to be seen of it right after the first scan. */
function Known({ modules }: { modules: Module[] }) {
  const having = (state: Module["confidence"]): number => modules.filter(({ confidence }) => confidence === state).length;
  const [partly, well, all] = [having("partial"), having("mapped"), Math.max(1, modules.length)];
  const files = new Set(modules.flatMap((module) => LISTS.flatMap(([, field]) => module[field]))).size;
  return (
    <>
      <p className="module-known">
        <strong>{counted(modules.length, "module")} with {counted(files, "file")}, found by a scan.</strong>{" "}
        {partly + well === 0 ? "Agents are led to these files already. A module counts as known once agents or people open its files and describe it."
          : `Beyond the scan, from work in them and descriptions, ${well} ${well === 1 ? "is" : "are"} well known and ${partly} in part.`}
      </p>
      {partly + well > 0 && (
        <div className="meter" role="meter" aria-label="Modules that are known beyond the scan" aria-valuenow={partly + well} aria-valuemin={0} aria-valuemax={modules.length}>
          <span style={{ width: `${(well / all) * 100}%` }} /><span className="partly" style={{ width: `${(partly / all) * 100}%` }} />
        </div>
      )}
    </>
  );
}

function ModuleView({ module, project }: { module: Module; project: string }) {
  const [open, setOpen] = useState(false);
  const files = LISTS.map(([name, field]) => [name, module[field]] as const).filter(([, paths]) => paths.length > 0);
  const count = files.reduce((sum, [, paths]) => sum + paths.length, 0);
  return (
    <details className="module" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary data-step>
        <strong className="clip">{module.name}</strong>
        <span className="module-about">{plainText(module.description) || "No description yet"}</span>
        <span className="memory-meta module-counts">
          <span>{counted(count, "file")}</span>{module.test_files.length > 0 && <span>{counted(module.test_files.length, "test")}</span>}
          {module.sessions.length > 0 && <span>opened in {counted(module.sessions.length, "session")}</span>}
          {module.confidence !== "shallow" && <span className="badge good">{CONFIDENCE[module.confidence]}</span>}
        </span>
      </summary>
      {open && (
        <div className="module-body">
          {module.dependencies.length > 0 && <p className="memory-meta">Depends on {module.dependencies.map((name) => <span key={name} className="project-name">{name}</span>)}</p>}
          {module.related_modules.length > 0 && <p className="memory-meta">Related to {module.related_modules.map((name) => <span key={name} className="project-name">{name}</span>)}</p>}
          {files.map(([name, paths]) => (
            <section key={name}><h3>{name}</h3><ul className="paths">{paths.map((path) => <li key={path}><code>{path}</code>{module.opened.includes(path) && <span className="badge" title="An agent opened it">Opened</span>}</li>)}</ul></section>
          ))}
          <Traps module={module} project={project} />
          {module.sessions.length > 0 && <section><h3>Opened by sessions</h3><p className="memory-meta">{module.sessions.map((session) => <ConversationLink key={session} session={session} />)}</p></section>}
        </div>
      )}
    </details>
  );
}

function Traps({ module, project }: { module: Module; project: string }) {
  const { data } = useQuery(trapsQuery(project));
  const paths = new Set(LISTS.flatMap(([, field]) => module[field]));
  const here = data?.filter(({ metadata }) => metadata["module"] === module.name || (typeof metadata["file"] === "string" && paths.has(metadata["file"]))) ?? [];
  if (here.length === 0) return null;
  return <section><h3>Traps and rules</h3>{here.map((memory) => <MemoryCard key={memory.id} memory={memory} />)}</section>;
}
