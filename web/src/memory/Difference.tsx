// What changed from one text to another.
import { useMemo } from "react";
import { difference } from "@/ui/diff";

export function Difference({ before, after }: { before: string; after: string }) {
  const pieces = useMemo(() => difference(before, after), [before, after]);
  return (
    <p className="difference">
      {pieces.map((piece, index) => piece.kind === "same" ? <span key={index}>{piece.text}</span>
        : piece.kind === "added" ? <ins key={index}>{piece.text}</ins> : <del key={index}>{piece.text}</del>)}
    </p>
  );
}
