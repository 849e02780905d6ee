// Short messages at the edge, some with an act such as undo; read aloud.
import { Toast } from "radix-ui";
import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { IconButton } from "./Button";
import { problemText } from "./States";

interface Message {
  id: number;
  text: string;
  look: "plain" | "problem";
  act?: { label: string; run: () => void };
}

let messages: Message[] = [];
let next = 1;
const listeners = new Set<() => void>();

function change(to: Message[]): void {
  messages = to;
  listeners.forEach((tell) => tell());
}

/** Shows a message, with what can be done about it. */
export function toast(text: string, act?: Message["act"]): void {
  change([...messages.slice(-2), { id: next++, text, look: "plain", ...(act && { act }) }]);
}

/** Shows why something did not work. */
export function toastProblem(cause: unknown, act?: Message["act"]): void {
  change([...messages.slice(-2), { id: next++, text: problemText(cause), look: "problem", ...(act && { act }) }]);
}

export function Toasts() {
  const shown = useSyncExternalStore((tell) => {
    listeners.add(tell);
    return () => listeners.delete(tell);
  }, () => messages);
  const remove = (id: number): void => change(messages.filter((message) => message.id !== id));
  return (
    <Toast.Provider duration={8_000} swipeDirection="right">
      {shown.map((message) => (
        <Toast.Root
          key={message.id}
          className={`toast ${message.look}`}
          duration={message.act ? 12_000 : 6_000}
          onOpenChange={(open) => {
            if (!open) remove(message.id);
          }}
        >
          <Toast.Description>{message.text}</Toast.Description>
          {message.act && (
            <Toast.Action altText={message.act.label} asChild>
              <button type="button" className="button quiet" onClick={message.act.run}>{message.act.label}</button>
            </Toast.Action>
          )}
          <Toast.Close asChild><IconButton label="Dismiss" icon={X} size={14} /></Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="toasts" />
    </Toast.Provider>
  );
}
