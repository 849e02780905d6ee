// One import: what it was, moving it, and taking it back with all that came from it.
import { counted } from "@/ui/counted";
import { useQuery } from "@tanstack/react-query";
import { MoreHorizontal, Undo2 } from "lucide-react";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import { projectsQuery } from "@/projects/queries";
import { useAct } from "@/memory/useAct";
import { IconButton } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { Menu, MenuItem, MenuLabel, MenuLine } from "@/ui/Menu";
import { Time } from "@/ui/Time";
import { IMPORTED, platformName, type Source } from "./queries";

export function SourceRow({ source }: { source: Source }) {
  const act = useAct(IMPORTED);
  const projects = useQuery(projectsQuery).data ?? [];
  const [asking, setAsking] = useState(false);
  const name = source.filename ?? source.platform;
  const move = (project: string | null): void => act.mutate({
    does: () => unwrap(api.POST("/v1/sources/{id}/move", { params: { path: { id: source.id } }, body: { project } })),
    message: project === null ? `${name} is out of all projects.` : `${name} is in ${project} now.`,
  });
  return (
    <>
      <span className="line-main">
        <strong className="clip">{name}</strong>
        <span className="memory-meta"><span>{platformName(source.platform)}</span>{source.platform === "transcript" ? <span>Session log, read for lessons</span> : <><span>{counted(source.conversations, "conversation")}</span><span>{counted(source.messages, "message")}</span></>}</span>
      </span>
      <Time at={source.ingested_at} label="Imported" />
      <Menu trigger={<IconButton label={`Actions for ${name}`} icon={MoreHorizontal} />}>
        <MenuLabel>Move all of it to</MenuLabel>
        <MenuItem onSelect={() => move(null)}>No project</MenuItem>
        {projects.map((project) => <MenuItem key={project.id} onSelect={() => move(project.name)}>{project.name}</MenuItem>)}
        <MenuLine />
        <MenuItem icon={Undo2} danger onSelect={() => setAsking(true)}>Take back…</MenuItem>
      </Menu>
      {asking && (
        <Confirm title={`Take back ${name}?`} act="Take back" onClose={() => setAsking(false)} onConfirm={() => act.mutateAsync({
          does: () => unwrap(api.POST("/v1/review/{source}/revert", { params: { path: { source: source.id } }, body: {} })), message: `${name} was taken back.`,
        })}>
          <p>Everything that came from it is forgotten: {counted(source.conversations, "conversation")}, {counted(source.messages, "message")}, and knowledge taken from them. What a person pinned or edited stays.</p>
        </Confirm>
      )}
    </>
  );
}
