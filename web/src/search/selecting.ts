// Selecting several in a list: a mode that a button or the key `x` begins.
import { useMay } from "@/app/session";
import { useChangeable } from "@/memory/rights";
import { focusedRow, useSelection, type Selection } from "@/ui/selection";
import { useKeys } from "@/ui/useKeys";

export interface Selecting {
  selecting: boolean;
  onSelecting: (on: boolean) => void;
}

/** Returns what is ticked of a list of memories. Those that somebody may not change are never among it. */
export function useSelectingMemories(ids: readonly string[], mode: Selecting): Selection & { allowed: ReadonlySet<string> } {
  const selection = useSelecting(ids, mode);
  const allowed = useChangeable(ids, mode.selecting);
  return { ...selection, allowed, chosen: selection.chosen.filter((id) => allowed.has(id)), has: (id) => allowed.has(id) && selection.has(id) };
}

/** Returns what is ticked of a list, with the keys for it: `x`, and with Shift `J` and `K`. */
export function useSelecting(ids: readonly string[], { selecting, onSelecting }: Selecting): Selection {
  const selection = useSelection(ids);
  const may = useMay();
  const extend = (by: 1 | -1): void => {
    onSelecting(true);
    selection.extend(by);
  };
  useKeys(may("write") ? {
    x: () => {
      const id = focusedRow();
      if (id === undefined || !ids.includes(id)) return;
      onSelecting(true);
      selection.toggle(id);
    },
    J: () => extend(1),
    K: () => extend(-1),
    ...(selecting && {
      Escape: () => {
        // the first Escape closes what is open beside the list
        if (document.querySelector(".panel") === null) onSelecting(false);
      },
    }),
  } : {});
  return selection;
}
