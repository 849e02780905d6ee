// Why a memory was found: each signal with its share of the score, in words.
import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import type { Hit } from "@/api/types";

type Found = Pick<Hit, "why" | "score" | "confidence">;

const SIGNALS: Record<string, [string, string]> = {
  words: ["words", "Words of the question stand in it"],
  vector: ["meaning", "It means something similar"],
  neighbours: ["neighbours", "What was said before and after fits"],
  session: ["conversation", "The whole conversation fits"],
  speaker: ["speaker", "A person said it; an assistant's words, and questions, count for less"],
  time: ["time", "It is from the time that was asked about"],
  recency: ["recency", "It is recent"],
  use: ["use", "It was useful before"],
  title: ["title", "The title fits"],
  path: ["path", "The path of the file fits"],
  symbol: ["name", "It defines what was asked for"],
  identifier: ["number", "The number that was asked for stands in it"],
  kind: ["kind", "Its kind weighs more or less"],
  confidence: ["trust", "How sure it is"],
};

/** Returns the signals that speak for a hit, strongest first. */
export function reasons(hit: Found): string[] {
  const positive = Object.entries(hit.why).filter(([, share]) => share > 0.02).sort(([, a], [, b]) => b - a);
  return positive.slice(0, 3).map(([name]) => SIGNALS[name]?.[0] ?? name);
}

export function Why({ hit }: { hit: Found }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const found = reasons(hit);
  const sure = Math.round(hit.confidence * 100);
  return (
    <div className="why">
      <button type="button" className="why-toggle" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <span className="sure" title="How likely it answers the question">{sure}% match</span>
        {found.length > 0 ? `found by ${found.join(", ")}` : "found"}
        <ChevronDown size={13} aria-hidden />
      </button>
      {open && <Signals hit={hit} id={id} />}
    </div>
  );
}

function Signals({ hit, id }: { hit: Found; id: string }) {
  const shares = Object.entries(hit.why).filter(([, share]) => Math.abs(share) >= 0.001).sort(([, a], [, b]) => b - a);
  const most = Math.max(0.001, ...shares.map(([, share]) => Math.abs(share)));
  return (
    <table id={id} className="signals">
      <caption className="unseen">Signals that make up its score</caption>
      <tbody>
        {shares.map(([name, share]) => (
          <tr key={name}>
            <th scope="row">{SIGNALS[name]?.[0] ?? name}</th>
            <td><span className={share < 0 ? "bar against" : "bar"} style={{ width: `${(Math.abs(share) / most) * 100}px` }} /></td>
            <td className="number">{share > 0 ? "+" : "−"}{Math.abs(share).toFixed(2)}</td>
            <td className="faint">{SIGNALS[name]?.[1] ?? ""}</td>
          </tr>
        ))}
        <tr className="total"><th scope="row">score</th><td /><td className="number">{hit.score.toFixed(2)}</td><td className="faint">Orders the results; {Math.round(hit.confidence * 100)}% is how likely it answers</td></tr>
      </tbody>
    </table>
  );
}
