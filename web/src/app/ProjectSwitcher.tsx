// The project looked at: all, none, or one.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Check, ChevronsUpDown, Layers } from "lucide-react";
import { OUTSIDE } from "@/api/place";
import { projectsQuery } from "@/projects/queries";
import { Menu, MenuItem, MenuLine } from "@/ui/Menu";

export function projectName(project: string | undefined): string {
  return project === undefined ? "All projects" : project === OUTSIDE ? "Outside projects" : project;
}

export function ProjectSwitcher() {
  const { project } = useSearch({ strict: false });
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery).data ?? [];
  const choose = (name: string | undefined): void =>
    void navigate({ to: ".", search: (search) => ({ ...search, project: name, memory: undefined }) });
  const item = (name: string | undefined, colour?: string | null) => (
    <MenuItem key={name ?? "*"} onSelect={() => choose(name)}>
      <ProjectMark name={name} colour={colour ?? null} /> {projectName(name)} {project === name && <Check size={14} aria-label="chosen" />}
    </MenuItem>
  );
  const chosen = projects.find(({ name }) => name === project);
  return (
    <Menu align="start" trigger={
      <button type="button" className="project-switcher">
        <span className="unseen">Project: </span>
        <ProjectMark name={project} colour={chosen?.colour ?? null} />
        <span className="clip grow">{projectName(project)}</span>
        <ChevronsUpDown size={14} aria-hidden />
      </button>
    }>
      {item(undefined)}
      {item(OUTSIDE)}
      {projects.length > 0 && <MenuLine />}
      {projects.map(({ name, colour }) => item(name, colour))}
    </Menu>
  );
}

/** A square with the colour and first letter of a project. */
export function ProjectMark({ name, colour }: { name: string | undefined; colour: string | null }) {
  if (name === undefined || name === OUTSIDE) return <span className="project-mark"><Layers size={13} aria-hidden /></span>;
  const safe = colour !== null && /^#[0-9a-f]{6}$/i.test(colour) ? colour : undefined;
  return <span className="project-mark named" style={{ borderColor: safe }} aria-hidden>{[...name][0]?.toUpperCase()}</span>;
}
