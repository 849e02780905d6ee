// A list of any length: only the rows in sight are in the document.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type ReactNode } from "react";

interface Props<T> {
  label: string;
  items: readonly T[];
  /** The height that a row probably has, in pixels. */
  estimate: number;
  keyOf: (item: T) => string;
  render: (item: T, index: number) => ReactNode;
  /** Fetches more when the end comes into sight. */
  onEnd?: (() => void) | undefined;
}

export function VirtualList<T>({ label, items, estimate, keyOf, render, onEnd }: Props<T>) {
  const scroll = useRef<HTMLDivElement>(null);
  // the list only reads from it while it draws, so the compiler of React may leave it alone
  // eslint-disable-next-line react-hooks/incompatible-library
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => estimate,
    overscan: 8,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= items.length - 20) onEnd?.();
  }, [last, items.length, onEnd]);
  return (
    // a list that scrolls must be reachable without a pointer
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroll} className="scroller" tabIndex={0} role="group" aria-label={label}>
      <div role="list" aria-label={label} style={{ height: rows.getTotalSize(), position: "relative" }}>
        {shown.map((row) => {
          const item = items[row.index];
          return item === undefined ? null : (
            <div
              key={row.key} ref={rows.measureElement} data-index={row.index} data-row={row.key} role="listitem"
              aria-setsize={onEnd ? -1 : items.length} aria-posinset={row.index + 1}
              className="virtual-row" style={{ transform: `translateY(${row.start}px)` }}
            >
              {render(item, row.index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
