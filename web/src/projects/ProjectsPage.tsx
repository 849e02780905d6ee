// Projects: what each holds, its settings, memory on or off, archive and purge.
import { counted } from "@/ui/counted";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Archive, ArchiveRestore, FolderOpen, MoreHorizontal, Pencil, Plus, Trash2 } from "lucide-react";
import { Switch } from "radix-ui";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import type { Project } from "@/api/types";
import { ProjectMark } from "@/app/ProjectSwitcher";
import { useMay } from "@/app/session";
import { useAct } from "@/memory/useAct";
import { Button, IconButton } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { Menu, MenuItem, MenuLine } from "@/ui/Menu";
import { Page } from "@/ui/Page";
import { Empty, Failed, Loading } from "@/ui/States";
import { ProjectDialog } from "./ProjectDialog";
import { archivedQuery, contentsQuery, projectsQuery } from "./queries";

export function ProjectsPage() {
  const found = useQuery(projectsQuery);
  const archived = useQuery(archivedQuery).data ?? [];
  const [editing, setEditing] = useState<Project | "new" | null>(null);
  const may = useMay();
  return (
    <Page title="Projects" about="Isolated places: what is in one is not seen from another." acts={may("write") && <Button look="primary" icon={Plus} onClick={() => setEditing("new")}>New project</Button>}>
      {found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} /> : !found.data ? <Loading />
        : found.data.length === 0 ? <Empty title="No projects yet" icon={FolderOpen}><p>A project is made by the first memory in it, or here.</p></Empty>
          : <ul className="cards">{found.data.map((project) => <li key={project.id}><ProjectCard project={project} onEdit={() => setEditing(project)} /></li>)}</ul>}
      {archived.length > 0 && (
        <>
          <h2 className="section-title">Archived</h2>
          <ul className="lines">{archived.map((project) => <li key={project.id} className="line"><Archived project={project} /></li>)}</ul>
        </>
      )}
      {editing !== null && <ProjectDialog project={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}

function ProjectCard({ project, onEdit }: { project: Project; onEdit: () => void }) {
  const act = useAct(["projects"]);
  const may = useMay();
  const contents = useQuery(contentsQuery(project.name)).data;
  const [asking, setAsking] = useState<"archive" | "purge" | null>(null);
  const path = { params: { path: { name: project.name } } };
  const on = project.state === "active";
  const sum = (field: "memories" | "sessions" | "folders" | "entities"): number => contents?.shares.reduce((total, share) => total + share[field], 0) ?? 0;
  return (
    <article className="card project-card">
      <header className="row">
        <ProjectMark name={project.name} colour={project.colour} />
        <h2 className="grow clip"><Link to="/" search={{ project: project.name }} data-step>{project.name}</Link></h2>
        {may("write") && <Menu trigger={<IconButton label={`Actions for ${project.name}`} icon={MoreHorizontal} />}>
          <MenuItem icon={Pencil} onSelect={onEdit}>Settings…</MenuItem>
          {may("projects") && (
            <>
              <MenuItem icon={Archive} onSelect={() => setAsking("archive")}>Archive…</MenuItem>
              <MenuLine />
              <MenuItem icon={Trash2} danger onSelect={() => setAsking("purge")}>Erase with everything in it…</MenuItem>
            </>
          )}
        </Menu>}
      </header>
      <p className="faint grow">{project.description ?? "No description"}</p>
      <p className="memory-meta">{contents ? <><span>{counted(sum("memories"), "memory")}</span>{sum("sessions") > 0 && <span>{counted(sum("sessions"), "conversation")}</span>}{sum("entities") > 0 && <span>{counted(sum("entities"), "thing")}</span>}{sum("folders") > 0 && <span>{counted(sum("folders"), "folder")}</span>}</> : "…"}</p>
      <label className="switch-line">
        <Switch.Root className="switch" checked={on} disabled={act.isPending || !may("projects")} onCheckedChange={(next) => act.mutate({
          does: () => unwrap(api.POST("/v1/projects/{name}/switch", { ...path, body: { on: next } })),
          message: next ? `Memory is on in ${project.name}.` : `Memory is off in ${project.name}: nothing is read or kept.`,
        })}><Switch.Thumb className="switch-thumb" /></Switch.Root>
        {on ? "Memory is on" : "Memory is off: nothing is read or kept"}
      </label>
      {asking === "archive" && (
        <Confirm title={`Archive ${project.name}?`} act="Archive" onClose={() => setAsking(null)} onConfirm={() => act.mutateAsync({ does: () => unwrap(api.POST("/v1/projects/{name}/archive", path)), message: `Archived ${project.name}.` })}>
          <p>It is hidden from everybody with all that is in it, from lists, search and agents, until it is brought back. Nothing is erased.</p>
        </Confirm>
      )}
      {asking === "purge" && (
        <Confirm title={`Erase ${project.name} for good?`} act="Erase everything in it" onClose={() => setAsking(null)} onConfirm={() => act.mutateAsync({ does: () => unwrap(api.POST("/v1/projects/{name}/purge", path)), message: `Erased ${project.name}.` })}>
          <p>All of everybody in it is erased, byte for byte: {counted(sum("memories"), "memory")}, {counted(sum("sessions"), "conversation")}, things, the module map, and folders that are nowhere else. It cannot be restored. To hide it instead, archive it.</p>
        </Confirm>
      )}
    </article>
  );
}

function Archived({ project }: { project: Project }) {
  const act = useAct(["projects"]);
  const may = useMay();
  return (
    <>
      <strong className="grow">{project.name}</strong>
      {may("projects") && <Button icon={ArchiveRestore} disabled={act.isPending} onClick={() => act.mutate({
        does: () => unwrap(api.POST("/v1/projects/{name}/unarchive", { params: { path: { name: project.name } } })), message: `${project.name} is back.`,
      })}>Bring back</Button>}
    </>
  );
}
