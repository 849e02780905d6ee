import { expect, test } from "vitest";
import { aboutOf, memoryOf } from "./words";

const ID = "01a09f25-0a87-7228-919d-ed52cddc8891";

test.each([
  ["use", { injected: { a: 1, b: 2 }, uses: { b: 1 } }, "2 memories"],
  ["add_member", { user: "ana", role: "owner" }, "ana (owner)"],
  ["remember_batch", { count: 3, kinds: ["message"] }, "3 messages"],
  ["scan_map", { files: 16, modules: 7, version: 1 }, "7 modules, 16 files"],
  ["open_files", { files: 2, modules: 7 }, "2 files"],
  ["promote", { visibility: "team", was: "private" }, "to team"],
  ["pin", {}, ""],
])("says what %s was about", (action, detail, words) => {
  expect(aboutOf({ action, detail })).toBe(words);
});

test("only acts on memories lead to one", () => {
  expect(memoryOf({ action: "pin", subject: ID })).toBe(ID);
  expect(memoryOf({ action: "scan_map", subject: ID })).toBeNull();
  expect(memoryOf({ action: "open_files", subject: ID })).toBeNull();
});
