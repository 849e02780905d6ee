// Keeps what is shown current: the stream of changes says which queries are out of date.
import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { refreshAreas } from "./refresh";

export type Connection = "connecting" | "live" | "lost" | "unsupported";

/** What else is out of date when memories of an area change. */
const SHOWN_WITH: Record<string, string[]> = {
  memories: ["memories", "memory", "recall", "about", "entities"], facts: ["facts", "about"],
};

interface ChangeData {
  memories: { id: string }[];
  areas: string[];
}

let connection: Connection = "connecting";
const listeners = new Set<() => void>();

function become(next: Connection): void {
  connection = next;
  listeners.forEach((tell) => tell());
}

/** Returns whether changes by others arrive at once. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => connection,
  );
}

/** Until which a stream that ended may open again before a message says so. */
const GRACE_MS = 3_000;

/** Follows the stream of changes until the returned function is called. It goes on where it was after a pause. */
export function follow(queries: QueryClient): () => void {
  const stream = new EventSource("/v1/stream");
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const isBack = (): void => {
    clearTimeout(waiting);
    waiting = undefined;
    if (connection === "lost") void queries.refetchQueries({ predicate: ({ state }) => state.status === "error" });
    become("live");
  };
  stream.addEventListener("ready", isBack);
  stream.addEventListener("reset", () => {
    isBack();
    void queries.invalidateQueries();
  });
  stream.addEventListener("change", (event: MessageEvent<string>) => {
    const change = JSON.parse(event.data) as ChangeData;
    const areas = change.areas.flatMap((area) => SHOWN_WITH[area] ?? [area]);
    void refreshAreas(queries, areas, change.memories.map(({ id }) => id));
  });
  stream.onerror = () => {
    if (stream.readyState === EventSource.CLOSED) become("unsupported");
    else waiting ??= setTimeout(() => become("lost"), GRACE_MS);
  };
  return () => {
    clearTimeout(waiting);
    stream.close();
  };
}
