// One file or database whose content is described: when it was read, and removing what it says.
import { MoreHorizontal, Trash2 } from "lucide-react";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema";
import { useMay } from "@/app/session";
import { useAct } from "@/memory/useAct";
import { IconButton } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { counted } from "@/ui/counted";
import { Menu, MenuItem } from "@/ui/Menu";
import { Time } from "@/ui/Time";

export function DescribedRow({ source }: { source: components["schemas"]["DescribedSource"] }) {
  const act = useAct(["described"]);
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const [hard, setHard] = useState(false);
  return (
    <>
      <span className="line-main">
        <strong className="clip">{source.name}</strong>
        <span className="memory-meta">
          <code className="clip">{source.file}</code><span>{source.platform}</span><span>{counted(source.memories, "description")}</span>
          {!source.complete && <span className="badge warn">Interrupted</span>}
          {source.project !== null && <span className="project-name">{source.project}</span>}
        </span>
      </span>
      <Time at={source.reconciled_at} label="Read" />
      {may("imports") && (
        <Menu trigger={<IconButton label={`Actions for ${source.name}`} icon={MoreHorizontal} />}>
          <MenuItem icon={Trash2} danger onSelect={() => setAsking(true)}>Remove what is known of it…</MenuItem>
        </Menu>
      )}
      {asking && (
        <Confirm title={`Remove what is known of ${source.name}?`} act={hard ? "Erase for good" : "Remove"} onClose={() => setAsking(false)} onConfirm={() => act.mutateAsync({
          does: () => unwrap(api.DELETE("/v1/described/{id}", { params: { path: { id: source.id }, query: { hard } } })), message: `What was known of ${source.name} is ${hard ? "erased" : "removed"}.`,
        })}>
          <p>{hard ? `All of it, ${counted(source.memories, "description")}, is erased, byte for byte, also what a person pinned or edited. It cannot be restored.`
            : `Nothing of it is found any more: ${counted(source.memories, "description")}. What a person pinned or edited stays.`} The file itself stays as it is.</p>
          <label className="tick"><input type="checkbox" checked={hard} onChange={(event) => setHard(event.target.checked)} />Erase it for good</label>
        </Confirm>
      )}
    </>
  );
}
