// Short messages at the edge, some with an act such as undo.
import { lazy, Suspense, useSyncExternalStore } from "react";
import { problemText } from "./States";

export interface Message {
  id: number;
  text: string;
  look: "plain" | "problem";
  act?: { label: string; run: () => void };
  /** Messages of the same sort replace each other: of many decisions only the last is shown. */
  sort?: string;
}

let messages: Message[] = [];
let next = 1;
const listeners = new Set<() => void>();

function change(to: Message[]): void {
  messages = to;
  listeners.forEach((tell) => tell());
}

/** Shows a message, with what can be done about it. */
export function toast(text: string, act?: Message["act"], sort?: string): void {
  const others = sort === undefined ? messages : messages.filter((message) => message.sort !== sort);
  change([...others.slice(-2), { id: next++, text, look: "plain", ...(act && { act }), ...(sort !== undefined && { sort }) }]);
}

/** Shows why something did not work. */
export function toastProblem(cause: unknown, act?: Message["act"]): void {
  change([...messages.slice(-2), { id: next++, text: problemText(cause), look: "problem", ...(act && { act }) }]);
}

const ToastList = lazy(() => import("./ToastList").then((module) => ({ default: module.ToastList })));

/** Draws the messages, once there is one. */
export function Toasts() {
  const shown = useSyncExternalStore((tell) => {
    listeners.add(tell);
    return () => listeners.delete(tell);
  }, () => messages);
  if (next === 1) return null;
  return <Suspense><ToastList messages={shown} onRemove={(id) => change(messages.filter((message) => message.id !== id))} /></Suspense>;
}
