// The bar above a list in which several are ticked: how many, all of them, and what can be done with them.
import type { ReactNode } from "react";
import type { Selection } from "./selection";

interface Props {
  selection: Selection;
  /** How many are shown. */
  count: number;
  label: string;
  children: ReactNode;
}

export function SelectBar({ selection: { chosen, setAll }, count, label, children }: Props) {
  return (
    <div className="row select-bar" role="toolbar" aria-label={label}>
      <label className="tick"><input
        type="checkbox" checked={chosen.length === count && count > 0}
        ref={(box) => {
          if (box) box.indeterminate = chosen.length > 0 && chosen.length < count;
        }}
        onChange={(event) => setAll(event.target.checked)}
      />{chosen.length === 0 ? "Select all" : `${chosen.length.toLocaleString("en")} selected`}</label>
      {children}
    </div>
  );
}

/** The box before a row. */
export function Tick({ selection, id, label, allowed = true }: { selection: Selection; id: string; label: string; allowed?: boolean }) {
  return (
    <input
      type="checkbox" className="memory-tick" aria-label={`Select ${label}`} checked={selection.has(id)} disabled={!allowed}
      title={allowed ? undefined : "It belongs to somebody else"} onChange={() => selection.toggle(id)}
    />
  );
}
