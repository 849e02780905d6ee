// A command to copy.
import { Check, Copy as CopyIcon } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./Button";

export function CopyLine({ text }: { text: string }) {
  const [done, setDone] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setDone(true);
      setTimeout(() => setDone(false), 1_500);
    });
  };
  return (
    <div className="copy-line">
      <code>{text}</code>
      <IconButton label={done ? "Copied" : `Copy: ${text}`} icon={done ? Check : CopyIcon} size={14} onClick={copy} />
    </div>
  );
}
