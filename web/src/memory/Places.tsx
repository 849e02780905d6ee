// The project of a memory; of a passage, the projects that the folder of its file is connected to.
import { useQuery } from "@tanstack/react-query";
import type { Memory } from "@/api/types";
import { foldersQuery } from "@/sources/queries";

export function Places({ memory: { project, kind, source } }: { memory: Memory }) {
  const isPassage = project === null && kind === "passage" && source !== null;
  const folders = useQuery({ ...foldersQuery, enabled: isPassage }).data;
  const names = project !== null ? [project] : isPassage ? folders?.find(({ id }) => id === source)?.projects ?? [] : [];
  return <>{names.map((name) => <span key={name} className="project-name">{name}</span>)}</>;
}
