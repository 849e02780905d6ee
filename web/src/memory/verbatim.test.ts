import { expect, test } from "vitest";
import { isVerbatim } from "./verbatim";

const FILE = { kind: "message", role: "unknown", name: null, metadata: {}, scope: { type: "global", id: null } } as const;

test.each([["train.py", true], ["a b/sales.csv", true], ["notes.md", false], ["Report.PDF", false], ["Ada", false], ["an attached file", false], ["version 1.5", false]])("an attachment called %s", (name, verbatim) => {
  expect(isVerbatim({ ...FILE, name })).toBe(verbatim);
});

test("a passage of a file is what its ending says, and what people say is prose whatever they are called", () => {
  expect(isVerbatim({ ...FILE, kind: "passage", metadata: { file: "src/app.ts" } })).toBe(true);
  expect(isVerbatim({ ...FILE, kind: "passage", metadata: { file: "docs/index.md" } })).toBe(false);
  expect(isVerbatim({ ...FILE, role: "user", name: "ada.py" })).toBe(false);
  expect(isVerbatim({ ...FILE, kind: "gotcha", role: null, metadata: { file: "src/app.ts" } })).toBe(false);
});
