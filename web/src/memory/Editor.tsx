// Editing a memory in place. If somebody else was first, both texts are shown and nothing is lost.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { Problem } from "@/api/client";
import type { Memory } from "@/api/types";
import { Button } from "@/ui/Button";
import { problemText } from "@/ui/States";
import { toast, toastProblem } from "@/ui/toasts";
import { Difference } from "./Difference";
import { memoryQuery, useMemoryActs } from "./queries";

export function Editor({ memory, onDone }: { memory: Memory; onDone: () => void }) {
  const queries = useQueryClient();
  const acts = useMemoryActs();
  const [text, setText] = useState(memory.text);
  const [title, setTitle] = useState(memory.title ?? "");
  const [basis, setBasis] = useState(memory);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // the stream of changes brings it while somebody types, or the service refuses to save over it
  const theirs = !busy && memory.version > basis.version ? memory : null;
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => void area.current?.focus(), []);

  const save = async (over: Memory): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const revision = {
        ...(text !== over.text && { text }),
        ...(title !== (over.title ?? "") && { title: title === "" ? null : title }),
      };
      if (Object.keys(revision).length > 0) {
        const kept = await acts.revise(over, revision);
        const undo = { text: over.text, title: over.title };
        toast("Saved. The old text is in the history.", {
          label: "Undo", run: () => void acts.revise(kept, undo).then(() => toast("Undone."), toastProblem),
        });
      }
      onDone();
    } catch (cause) {
      if (cause instanceof Problem && cause.status === 412) {
        await queries.query({ ...memoryQuery(memory.id), staleTime: 0 });
      } else setProblem(problemText(cause));
    } finally {
      setBusy(false);
    }
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save(theirs ?? basis);
    if (event.key === "Escape") {
      event.stopPropagation();
      onDone();
    }
  };
  return (
    <form className="editor" onSubmit={(event) => {
      event.preventDefault();
      void save(theirs ?? basis);
    }}>
      <label>Title<input value={title} onChange={(event) => setTitle(event.target.value)} onKeyDown={keys} placeholder="No title" /></label>
      <label>Text<textarea ref={area} value={text} rows={Math.min(18, Math.max(4, text.length / 50))} onChange={(event) => setText(event.target.value)} onKeyDown={keys} /></label>
      {theirs !== null && (
        <div className="note warn" role="alert">
          <p><strong>Somebody else changed it meanwhile.</strong> This is what you would change of their text:</p>
          <Difference before={theirs.text} after={text} />
          <Button onClick={() => {
            setBasis(theirs);
            setText(theirs.text);
            setTitle(theirs.title ?? "");
          }}>Take theirs</Button>
        </div>
      )}
      {problem !== null && <p role="alert" className="form-problem">{problem}</p>}
      <footer className="row">
        <Button look="primary" type="submit" disabled={busy || text.trim() === ""}>{theirs === null ? "Save" : "Save over theirs"}</Button>
        <Button onClick={onDone}>Cancel</Button>
        <span className="hint"><kbd>Ctrl</kbd> <kbd>Enter</kbd> saves, <kbd>Esc</kbd> leaves</span>
      </footer>
    </form>
  );
}
