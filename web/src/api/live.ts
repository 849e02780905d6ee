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

/** Follows the stream of changes until the returned function is called. */
export function follow(queries: QueryClient): () => void {
  const stream = new EventSource("/v1/stream");
  stream.addEventListener("ready", () => {
    if (connection === "lost") void queries.invalidateQueries();
    become("live");
  });
  stream.addEventListener("reset", () => void queries.invalidateQueries());
  stream.addEventListener("change", (event: MessageEvent<string>) => {
    const change = JSON.parse(event.data) as ChangeData;
    const areas = change.areas.flatMap((area) => SHOWN_WITH[area] ?? [area]);
    void refreshAreas(queries, areas, change.memories.map(({ id }) => id));
  });
  stream.onerror = () => become(stream.readyState === EventSource.CLOSED ? "unsupported" : "lost");
  return () => stream.close();
}
