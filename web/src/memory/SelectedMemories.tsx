// Forgetting or moving several memories at once, with undo.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FolderInput, Trash2 } from "lucide-react";
import { api, unwrap } from "@/api/client";
import type { Memory } from "@/api/types";
import { projectsQuery } from "@/projects/queries";
import { Button } from "@/ui/Button";
import { counted } from "@/ui/counted";
import { each } from "@/ui/each";
import { Menu, MenuItem } from "@/ui/Menu";
import { SelectBar } from "@/ui/SelectBar";
import type { Selection } from "@/ui/selection";
import { toast, toastProblem } from "@/ui/toasts";
import { refresh } from "./queries";

type Named = Pick<Memory, "id" | "project">;

interface Props {
  memories: readonly Memory[];
  selection: Selection;
  /** How many of them can be selected. */
  count: number;
  onDone: () => void;
}

export function SelectedMemories({ memories, selection, count, onDone }: Props) {
  const queries = useQueryClient();
  const projects = useQuery(projectsQuery).data ?? [];
  const ticked = new Set(selection.chosen);
  const chosen = memories.filter(({ id }) => ticked.has(id));
  const ids = (of: readonly Named[]): string[] => of.map(({ id }) => id);

  const restore = async (gone: readonly Named[]): Promise<void> => {
    const { done, problem } = await each(gone, ({ id }) => unwrap(api.POST("/v1/memories/{id}/restore", { params: { path: { id } }, body: {} })));
    if (problem !== null) toastProblem(problem);
    toast(`Brought back: ${counted(done.length, "memory")}.`);
    await refresh(queries, ids(done));
  };
  const forget = async (): Promise<void> => {
    selection.setAll(false);
    const { done, problem } = await each(chosen, ({ id }) => unwrap(api.DELETE("/v1/memories/{id}", { params: { path: { id } } })));
    if (problem !== null) toastProblem(problem);
    if (done.length > 0) toast(`Forgotten: ${counted(done.length, "memory")}.`, { label: "Undo", run: () => void restore(done).catch(toastProblem) });
    await refresh(queries, ids(done));
  };
  const move = async (moved: readonly Named[], to: string | null, undo: boolean): Promise<void> => {
    const { results } = await unwrap(api.POST("/v1/review/move", { body: { ids: ids(moved), project: to } }));
    const refused = results.find(({ result }) => result === "refused");
    if (refused) toastProblem(new Error(`Not all were moved: ${refused.reason}`));
    const done = moved.filter((_, place) => results[place]?.result !== "refused");
    const back = async (): Promise<void> => {
      for (const [project, those] of Map.groupBy(done, ({ project }) => project)) await move(those, project, false);
    };
    if (done.length > 0) {
      toast(`${undo ? "Moved" : "Moved back"} ${to === null ? "out of all projects" : `to ${to}`}: ${counted(done.length, "memory")}.`,
        undo ? { label: "Undo", run: () => void back().catch(toastProblem) } : undefined);
    }
    await refresh(queries, ids(done));
  };
  const start = (to: string | null): void => {
    selection.setAll(false);
    void move(chosen, to, true).catch(toastProblem);
  };
  return (
    <SelectBar selection={selection} count={count} label="Selected memories">
      <Button icon={Trash2} disabled={chosen.length === 0} onClick={() => void forget().catch(toastProblem)}>Forget</Button>
      <Menu align="start" trigger={<Button icon={FolderInput} disabled={chosen.length === 0}>Move to…</Button>}>
        <MenuItem onSelect={() => start(null)}>No project</MenuItem>
        {projects.slice(0, 20).map(({ name }) => <MenuItem key={name} onSelect={() => start(name)}>{name}</MenuItem>)}
      </Menu>
      {count < memories.length && <span className="hint">{counted(memories.length - count, "memory")} of others cannot be selected</span>}
      <span className="grow" />
      <Button look="quiet" onClick={onDone}>Done</Button>
    </SelectBar>
  );
}
