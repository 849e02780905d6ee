import { expect, test } from "vitest";
import { difference, type Piece } from "./diff";

function side(pieces: Piece[], without: Piece["kind"]): string {
  return pieces.filter(({ kind }) => kind !== without).map(({ text }) => text).join("");
}

test.each([
  ["Lunch is at noon", "Lunch is at half past twelve"],
  ["", "new"],
  ["a b c", ""],
  ["same", "same"],
  ["one two three four", "one 2 three 4 five"],
])("turns %s into %s", (before, after) => {
  const pieces = difference(before, after);
  expect(side(pieces, "added")).toBe(before);
  expect(side(pieces, "removed")).toBe(after);
});

test("names only the words that changed", () => {
  expect(difference("Deploy on Tuesdays", "Deploy on Fridays")).toEqual([
    { kind: "same", text: "Deploy on " }, { kind: "removed", text: "Tuesdays" }, { kind: "added", text: "Fridays" },
  ]);
});
