// The difference of two texts, word by word (longest common subsequence).

export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

const LIMIT = 4_000;
const WORDS = /(\s+|[.,;:!?()"“”]+)/;

/** Returns the pieces that turn `before` into `after`. Very long texts are compared line by line. */
export function difference(before: string, after: string): Piece[] {
  let old = before.split(WORDS);
  let now = after.split(WORDS);
  if (old.length > LIMIT || now.length > LIMIT) [old, now] = [before.split(/(\n)/), after.split(/(\n)/)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let tail = 0;
  while (tail < old.length - start && tail < now.length - start && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return joined([
    ...old.slice(0, start).map((text): Piece => ({ kind: "same", text })),
    ...middle(old.slice(start, old.length - tail), now.slice(start, now.length - tail)),
    ...old.slice(old.length - tail).map((text): Piece => ({ kind: "same", text })),
  ]);
}

function middle(old: string[], now: string[]): Piece[] {
  if (old.length * now.length > LIMIT * LIMIT / 4) {
    return [{ kind: "removed", text: old.join("") }, { kind: "added", text: now.join("") }];
  }
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [left, right] = [old[i], now[j]];
    if (left !== undefined && left === right) {
      pieces.push({ kind: "same", text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      pieces.push({ kind: "removed", text: left });
      i += 1;
    } else {
      pieces.push({ kind: "added", text: right ?? "" });
      j += 1;
    }
  }
  return pieces;
}

function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (last?.kind === piece.kind) last.text += piece.text;
    else if (piece.text !== "") result.push({ ...piece });
  }
  return result;
}
