// How far a memory can be trusted, as one small figure: in words where it is explained.
import type { Memory } from "@/api/types";
import { useKinds } from "./kinds";
import { percentOf } from "./sure";
import { trustInWords } from "./trustWords";

/** Draws the figure beside knowledge. What was said or stands in a file is no claim: it has none. */
export function Trust({ memory }: { memory: Memory }) {
  const nature = useKinds().get(memory.kind)?.nature;
  if (nature === undefined || nature === "evidence") return null;
  const look = memory.confidence < 0.5 ? "trust low" : memory.confidence >= 0.8 ? "trust high" : "trust";
  return <span className={look} title={trustInWords(memory)}><span className="unseen">Trust: </span>{percentOf(memory.confidence)}% sure</span>;
}
