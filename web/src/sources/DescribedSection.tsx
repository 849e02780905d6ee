// Files and databases whose content is described, and describing one that the service may read.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { FilePlus2 } from "lucide-react";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import { OUTSIDE } from "@/api/place";
import { useMay } from "@/app/session";
import { refresh } from "@/memory/queries";
import { summary } from "@/memory/reconciled";
import { projectsQuery } from "@/projects/queries";
import { Button } from "@/ui/Button";
import { CopyLine } from "@/ui/Copy";
import { Failed, Loading, problemText } from "@/ui/States";
import { toast } from "@/ui/toasts";
import { DescribedRow } from "./DescribedRow";
import { describedQuery, rootsQuery } from "./queries";

export function DescribedSection() {
  const sources = useQuery(describedQuery);
  const may = useMay();
  return (
    <>
      <h2 className="section-title">Files and databases</h2>
      {may("imports") && <DescribeForm />}
      {sources.error ? <Failed cause={sources.error} /> : !sources.data ? <Loading rows={2} />
        : sources.data.length === 0 ? <><p className="faint">No file is described. What a file of your own machine holds is described there:</p><CopyLine text="holdfast reconcile sales.xlsx --project shop" /></>
          : (
            <ul className="lines" aria-label="Files and databases">
              {sources.data.map((source) => (
                <li key={source.id} className="line"><DescribedRow source={source} /></li>
              ))}
            </ul>
          )}
    </>
  );
}

function DescribeForm() {
  const search = useSearch({ strict: false });
  const queries = useQueryClient();
  const roots = useQuery(rootsQuery).data;
  const projects = useQuery(projectsQuery).data ?? [];
  const [project, setProject] = useState(search.project === OUTSIDE ? "" : search.project ?? "");
  const [root, setRoot] = useState<string | null>(null);
  const [path, setPath] = useState("");
  const chosen = root ?? roots?.[0] ?? "";
  const read = useMutation({
    mutationFn: () => unwrap(api.POST("/v1/described/read", { body: {
      path: path.trim() === "" ? chosen : `${chosen.replace(/\/+$/, "")}/${path.trim().replace(/^\/+/, "")}`,
      ...(project !== "" && { project }),
    } })),
    onSuccess: async (result) => {
      toast(summary(result));
      setPath("");
      await Promise.all([queries.invalidateQueries({ queryKey: ["described"] }), refresh(queries)]);
    },
  });
  if (!roots) return null;
  if (roots.length === 0) return <p className="faint">The service reads no files: its operator allows folders with the setting <code>roots</code>.</p>;
  return (
    <form className="card" aria-label="Describe a file" onSubmit={(event) => {
      event.preventDefault();
      read.mutate();
    }}>
      <div className="row">
        <label className="inline">Of the service, below<select value={chosen} onChange={(event) => setRoot(event.target.value)}>{roots.map((one) => <option key={one}>{one}</option>)}</select></label>
        <label className="inline grow">the file or folder<input value={path} placeholder="sales.xlsx" onChange={(event) => setPath(event.target.value)} /></label>
        <label className="inline">Into<select value={project} onChange={(event) => setProject(event.target.value)}><option value="">No project</option>{projects.map(({ name }) => <option key={name}>{name}</option>)}</select></label>
        <Button icon={FilePlus2} type="submit" disabled={read.isPending} aria-busy={read.isPending}>{read.isPending ? "Reading…" : "Describe it"}</Button>
      </div>
      {read.error && <p role="alert" className="form-problem">{problemText(read.error)}</p>}
    </form>
  );
}
