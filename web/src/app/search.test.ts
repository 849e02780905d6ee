import { expect, test } from "vitest";
import { only, parseWords, writeWords } from "./search";

test("an address can be written and read by hand", () => {
  const words = { q: "why 100% & more?", kinds: "note,fact", project: "team/shop" };
  expect(parseWords(writeWords(words))).toEqual(words);
  expect(writeWords({ q: "", kinds: undefined })).toBe("");
});

test("keeps the parameters that a page knows", () => {
  expect(only("q")({ q: "x", evil: "y" })).toEqual({ q: "x" });
});
