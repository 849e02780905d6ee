import { expect, test } from "vitest";
import { originsOf } from "./trust";

test.each([
  [undefined, undefined, {}],
  ["unheard", undefined, {}],
  [undefined, "web,tool", { origins: ["web", "tool"] }],
  ["people", undefined, { origins: ["user"] }],
  ["people", "web", { origins: ["user"] }],
  ["known", undefined, { origins: ["user", "agent", "import", "file", "extraction"] }],
])("trusting %j, from %j", (trust, origins, searched) => {
  expect(originsOf(trust, origins)).toEqual(searched);
});
