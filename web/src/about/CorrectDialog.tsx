// Correcting what is believed: the person writes what is true, and what was said stays as evidence.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import { OUTSIDE } from "@/api/place";
import type { components } from "@/api/schema";
import { refresh } from "@/memory/queries";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { problemText } from "@/ui/States";
import { toast, toastProblem } from "@/ui/toasts";

type Belief = components["schemas"]["Belief"];

export function CorrectDialog({ belief, onClose }: { belief: Belief; onClose: () => void }) {
  const { name, project } = useSearch({ from: "/about" });
  const queries = useQueryClient();
  const [text, setText] = useState(belief.text);
  const save = useMutation({
    mutationFn: async () => {
      const before = await unwrap(api.GET("/v1/memories/{id}", { params: { path: { id: belief.id } } }));
      const { memory } = await unwrap(api.POST("/v1/about/correct", { body: {
        id: belief.id, text: text.trim(), was: belief.text,
        ...(name !== undefined && { name }), ...(project !== undefined && project !== OUTSIDE && { project }),
      } }));
      return { before, memory };
    },
    onSuccess: async ({ before, memory }) => {
      onClose();
      if (memory === null) return;
      // a statement of its own is forgotten again; a memory that was the statement says again what it said
      const path = { params: { path: { id: memory.id } } };
      const undo = (): Promise<unknown> => (memory.id === before.id
        ? unwrap(api.PATCH("/v1/memories/{id}", { ...path, body: { text: before.text } })) : unwrap(api.DELETE("/v1/memories/{id}", path)));
      toast(memory.status === "pending" ? "Corrected: it waits in the inbox, for it holds personal data that others would see." : "Corrected.", {
        label: "Undo", run: () => void undo().then(() => refresh(queries, [memory.id])).then(() => toast("Undone.")).catch(toastProblem),
      });
      await refresh(queries, [belief.id, memory.id]);
    },
  });
  const said = belief.sources[0];
  return (
    <Dialog title="What is true?" onClose={onClose}>
      <form className="form" onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}>
        {said?.session != null && <p>You said “{said.quote}”. That stays in the conversation, as what was believed before.</p>}
        <label>In these words, or in your own<textarea rows={3} value={text} data-first onChange={(event) => setText(event.target.value)} /></label>
        {save.error && <p role="alert" className="form-problem">{problemText(save.error)}</p>}
        <footer className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={save.isPending || text.trim() === "" || text.trim() === belief.text}>Correct it</Button>
        </footer>
      </form>
    </Dialog>
  );
}
