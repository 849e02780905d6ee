// One folder: how far it is indexed, in which projects, indexing it again, taking its index away.
import { counted } from "@/ui/counted";
import { MoreHorizontal, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import { useAct } from "@/memory/useAct";
import { IconButton } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { Menu, MenuItem, MenuLine } from "@/ui/Menu";
import { Time } from "@/ui/Time";
import { Progress } from "./JobRow";
import { IMPORTED, type Folder } from "./queries";

const STATES: Record<Folder["state"], string> = { idle: "Current", indexing: "Indexing", error: "Failed", disabled: "Off" };

export function FolderRow({ folder }: { folder: Folder }) {
  const act = useAct(IMPORTED);
  const [asking, setAsking] = useState(false);
  const path = { params: { path: { id: folder.id } } };
  const index = (anew: boolean): void => act.mutate({
    does: () => unwrap(api.POST("/v1/folders/{id}/index", { ...path, body: { anew } })), message: `Indexing ${folder.name}.`,
  });
  return (
    <>
      <span className="line-main">
        <strong className="clip">{folder.name}</strong>
        <span className="memory-meta">
          <code className="clip">{folder.root}</code>
          <span>{counted(folder.files.indexed, "file")}</span><span>{counted(folder.files.chunks, "passage")}</span>
          {folder.files.failed > 0 && <span className="badge warn">{folder.files.failed} failed</span>}
          {folder.watched && <span className="badge">Watched</span>}
          {folder.projects.map((project) => <span key={project} className="project-name">{project}</span>)}
        </span>
        {folder.error !== null && <span className="form-problem">{folder.error}</span>}
        {folder.job?.state === "running" && <Progress job={folder.job} />}
      </span>
      <span className={folder.state === "error" ? "badge warn" : "badge"}>{STATES[folder.state]}</span>
      {folder.completed_at !== null && <Time at={folder.completed_at} label="Indexed" />}
      <Menu trigger={<IconButton label={`Actions for ${folder.name}`} icon={MoreHorizontal} />}>
        <MenuItem icon={RefreshCw} onSelect={() => index(false)}>Index changes</MenuItem>
        <MenuItem onSelect={() => index(true)}>Index all of it anew</MenuItem>
        <MenuLine />
        <MenuItem icon={Trash2} danger onSelect={() => setAsking(true)}>Remove the index…</MenuItem>
      </Menu>
      {asking && (
        <Confirm title={`Remove the index of ${folder.name}?`} act="Remove the index" onClose={() => setAsking(false)} onConfirm={() => act.mutateAsync({
          does: () => unwrap(api.DELETE("/v1/folders/{id}", path)), message: `The index of ${folder.name} is gone.`,
        })}>
          <p>Its {counted(folder.files.chunks, "passage")} are erased and no longer found. The files themselves stay as they are.</p>
        </Confirm>
      )}
    </>
  );
}
