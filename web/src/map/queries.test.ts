// @vitest-environment jsdom
import { expect, test } from "vitest";
import type { Memory } from "@/api/types";
import { NO_FILE, subjectOf } from "./queries";

test.each([
  [{ metadata: { file: "src/a.py" }, scope: { type: "project", id: "shop" } }, "src/a.py"],
  [{ metadata: {}, scope: { type: "file", id: "src/b.py" } }, "src/b.py"],
  [{ metadata: {}, scope: { type: "paper", id: "2301.1" } }, "2301.1"],
  [{ metadata: {}, scope: { type: "global", id: null } }, NO_FILE],
])("groups %j under %j", (memory, subject) => {
  expect(subjectOf(memory as unknown as Memory)).toBe(subject);
});
