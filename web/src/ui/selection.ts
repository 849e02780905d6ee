// What is ticked in a list: one by one, a range, or all that is shown.
import { useCallback, useMemo, useState } from "react";

export interface Selection {
  /** The ids that are ticked, in the order of the list. */
  chosen: string[];
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  /** Ticks the focused row and the one after or before it, which is focused then. */
  extend: (by: 1 | -1) => void;
  setAll: (on: boolean) => void;
}

export function useSelection(ids: readonly string[]): Selection {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const has = useCallback((id: string) => ticked.has(id), [ticked]);
  return {
    chosen: useMemo(() => ids.filter((id) => ticked.has(id)), [ids, ticked]),
    has,
    toggle: (id) => setTicked((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    }),
    extend: (by) => {
      const here = focusedRow() ?? ids[0] ?? "";
      const next = ids[ids.indexOf(here) + by];
      setTicked((before) => new Set([...before, here, ...(next === undefined ? [] : [next])]));
      focusRow(next);
    },
    setAll: (on) => setTicked(new Set(on ? ids : [])),
  };
}

/** Returns the id of the row or memory that has the focus. */
export function focusedRow(): string | undefined {
  const here = document.activeElement;
  return here?.closest<HTMLElement>("[data-row]")?.dataset["row"] ?? here?.closest<HTMLElement>("[data-memory]")?.dataset["memory"];
}

/** Focuses a row at once, and again after it was drawn anew, unless something else has the focus by then. */
export function focusRow(id: string | undefined): void {
  if (id === undefined) return;
  const name = CSS.escape(id);
  const focus = (): void => document.querySelector<HTMLElement>(`#page [data-row="${name}"] [data-step], #page [data-memory="${name}"] [data-step]`)?.focus();
  const focusIfLost = (): void => {
    if (document.activeElement === document.body) focus();
  };
  focus();
  requestAnimationFrame(() => requestAnimationFrame(focusIfLost));
}
