// Saying that something of a kind is never to be remembered: how much of it, and what becomes of what is known.
import { useState } from "react";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { useMemoryActs } from "./queries";

interface Props {
  /** The memory that is an example. */
  id: string;
  /** What was said, in a sentence. */
  example: string;
  /** The group of beliefs that it belongs to, such as `health`, with its title. */
  group?: { name: string; title: string };
  /** What is done to the example as well, for who wants it, and in which words; by default it is forgotten. */
  also?: { label: string; run: () => Promise<unknown> };
  onClose: () => void;
}

export function NeverDialog({ id, example, group, also, onClose }: Props) {
  const acts = useMemoryActs();
  const [all, setAll] = useState(false);
  const [words, setWords] = useState(example);
  const [forgets, setForgets] = useState(true);
  const save = async (): Promise<void> => {
    onClose();
    await acts.never(all && group ? group.name : words.trim());
    if (forgets) await (also ? also.run() : acts.forget({ id }));
  };
  return (
    <Dialog title="Never remember this kind" onClose={onClose}>
      <form className="form" onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}>
        <p>Whatever says something of this kind is left out from now on, in chats, imports and what agents keep. Files are not concerned.</p>
        {group && (
          <fieldset className="choices">
            <legend>How much of it?</legend>
            <label className="tick"><input type="radio" name="much" checked={!all} onChange={() => setAll(false)} />Statements like this one</label>
            <label className="tick"><input type="radio" name="much" checked={all} onChange={() => setAll(true)} />Everything under “{group.title}”</label>
          </fieldset>
        )}
        {!all && <label>An example, in a sentence or a few words<input value={words} onChange={(event) => setWords(event.target.value)} /></label>}
        <label className="tick"><input type="checkbox" checked={forgets} onChange={(event) => setForgets(event.target.checked)} />{also?.label ?? "Forget this one as well"}</label>
        <footer className="dialog-foot"><Button data-first onClick={onClose}>Cancel</Button><Button look="primary" type="submit" disabled={!all && words.trim() === ""}>Never remember it</Button></footer>
      </form>
    </Dialog>
  );
}
