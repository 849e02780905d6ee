// The messages at the edge, read aloud.
import { Toast } from "radix-ui";
import { X } from "lucide-react";
import { IconButton } from "./Button";
import type { Message } from "./toasts";

export function ToastList({ messages, onRemove }: { messages: Message[]; onRemove: (id: number) => void }) {
  return (
    <Toast.Provider duration={8_000} swipeDirection="right">
      {messages.map((message) => (
        <Toast.Root
          key={message.id}
          className={`toast ${message.look}`}
          duration={message.act ? 12_000 : 6_000}
          onOpenChange={(open) => {
            if (!open) onRemove(message.id);
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
