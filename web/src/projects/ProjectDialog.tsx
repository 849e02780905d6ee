// The settings of a project, old or new.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import type { Project } from "@/api/types";
import { useMay } from "@/app/session";
import { refresh } from "@/memory/queries";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { problemText } from "@/ui/States";
import { toast } from "@/ui/toasts";

const SEEN: [string, string][] = [["", "As the service has it"], ["private", "Only whoever kept it"], ["project", "Everybody in the project"], ["team", "Everybody in the team"]];

export function ProjectDialog({ project, onClose }: { project: Project | null; onClose: () => void }) {
  const queries = useQueryClient();
  const may = useMay();
  const [name, setName] = useState(project?.name ?? "");
  const [fields, setFields] = useState({
    description: project?.description ?? "", colour: project?.colour ?? "#0b6e63", notes: project?.notes ?? "",
    system_prompt: project?.system_prompt ?? "", visibility: project?.visibility ?? "",
  });
  const [problem, setProblem] = useState<string | null>(null);
  const set = (change: Partial<typeof fields>): void => setFields((before) => ({ ...before, ...change }));
  const save = async (): Promise<void> => {
    const body = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, value === "" ? null : value]));
    try {
      if (project === null) await unwrap(api.POST("/v1/projects", { body: { name, ...body } }));
      else {
        if (name !== project.name) await unwrap(api.POST("/v1/projects/{name}/rename", { params: { path: { name: project.name } }, body: { to: name } }));
        await unwrap(api.PATCH("/v1/projects/{name}", { params: { path: { name } }, body }));
      }
      toast("Saved.");
      onClose();
      await Promise.all([queries.invalidateQueries({ queryKey: ["projects"] }), refresh(queries)]);
    } catch (cause) {
      setProblem(problemText(cause));
    }
  };
  return (
    <Dialog title={project === null ? "New project" : `Settings of ${project.name}`} onClose={onClose}>
      <form className="form" onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}>
        <div className="row">
          <label>Name<input value={name} onChange={(event) => setName(event.target.value)} required readOnly={project !== null && !may("projects")} /></label>
          <label className="narrow-field">Colour<input type="color" value={fields.colour} onChange={(event) => set({ colour: event.target.value })} /></label>
        </div>
        <label>Description<input value={fields.description} onChange={(event) => set({ description: event.target.value })} /></label>
        {(project === null || may("projects")) && <label>Who sees what is kept in it<select value={fields.visibility} onChange={(event) => set({ visibility: event.target.value })}>{SEEN.map(([value, label]) => <option key={value} value={value}>{label}</option>)}</select></label>}
        <label>Notes<textarea rows={2} value={fields.notes} onChange={(event) => set({ notes: event.target.value })} /></label>
        <label>System prompt<textarea rows={2} value={fields.system_prompt} onChange={(event) => set({ system_prompt: event.target.value })} /></label>
        {problem !== null && <p role="alert" className="form-problem">{problem}</p>}
        <footer className="dialog-foot"><Button onClick={onClose}>Cancel</Button><Button look="primary" type="submit" disabled={name.trim() === ""}>Save</Button></footer>
      </form>
    </Dialog>
  );
}
