// Writing down something new.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { api, unwrap } from "@/api/client";
import { OUTSIDE } from "@/api/place";
import { useSession } from "@/app/session";
import { projectsQuery } from "@/projects/queries";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { problemText } from "@/ui/States";
import { toast } from "@/ui/toasts";
import { useKinds } from "./kinds";
import { refresh } from "./queries";

const TOLD: Record<string, string> = {
  created: "Remembered.", redacted: "Remembered, with secrets taken out.", pending: "Kept, but it waits in the inbox first.",
  merged: "The same was known already; it is confirmed.", duplicate: "Exactly this was known already.",
  superseded: "Remembered; it replaces what contradicted it.", forgotten: "Not kept: it was forgotten before.",
};

/** Who sees it, in the words of the command line. */
const SEEN: [string, string][] = [["private", "private: only you"], ["project", "project: everybody in the project"], ["team", "team: everybody in the team"]];

export function RememberDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const kinds = [...useKinds().values()].filter(({ nature }) => nature === "knowledge");
  const projects = useQuery(projectsQuery).data ?? [];
  const [text, setText] = useState("");
  const [kind, setKind] = useState("note");
  const [project, setProject] = useState(search.project === OUTSIDE ? "" : search.project ?? "");
  const [chosen, setChosen] = useState<string | null>(null);
  const { agent } = useSession();
  const preset = project === "" ? "private" : projects.find(({ name }) => name === project)?.visibility ?? (agent === null ? "private" : "project");
  const wanted = chosen ?? preset;
  const visibility = wanted === "project" && project === "" ? "private" : wanted;
  const [problem, setProblem] = useState<string | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => void area.current?.focus(), []);
  const save = async (): Promise<void> => {
    try {
      const kept = await unwrap(api.POST("/v1/memories", { body: { text, kind, visibility, ...(project !== "" && { project }) } as never }));
      const id = kept.memory?.id;
      toast(TOLD[kept.outcome] ?? kept.reason, id === undefined ? undefined : {
        label: "Show", run: () => void navigate({ to: ".", search: (before) => ({ ...before, memory: id }) }),
      });
      onClose();
      await refresh(queries);
    } catch (cause) {
      setProblem(problemText(cause));
    }
  };
  return (
    <Dialog title="Remember something" onClose={onClose}>
      <form className="form" onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}>
        <label>What should be remembered?<textarea ref={area} rows={5} value={text} onChange={(event) => setText(event.target.value)} onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
        }} placeholder="One statement works best: “We deploy on Tuesdays.”" /></label>
        <div className="row">
          <label>Kind<select value={kind} onChange={(event) => setKind(event.target.value)}>{kinds.map(({ name, label }) => <option key={name} value={name}>{label}</option>)}</select></label>
          <label>Project<select value={project} onChange={(event) => setProject(event.target.value)}><option value="">None</option>{projects.map(({ name }) => <option key={name}>{name}</option>)}</select></label>
          <label>Visibility<select value={visibility} onChange={(event) => setChosen(event.target.value)}>{SEEN.filter(([value]) => value !== "project" || project !== "").map(([value, label]) => <option key={value} value={value}>{label}</option>)}</select></label>
        </div>
        {problem !== null && <p role="alert" className="form-problem">{problem}</p>}
        <footer className="dialog-foot"><Button onClick={onClose}>Cancel</Button><Button look="primary" type="submit" disabled={text.trim() === ""}>Remember</Button></footer>
      </form>
    </Dialog>
  );
}
