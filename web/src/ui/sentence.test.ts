import { expect, test } from "vitest";
import { sentence } from "@/ui/sentence";

test("a message becomes a sentence, and a name at its beginning keeps its letters", () => {
  expect(sentence("the file is empty")).toBe("The file is empty.");
  expect(sentence("don't know this")).toBe("Don't know this.");
  expect(sentence("größe fehlt")).toBe("Größe fehlt.");
  expect(sentence("broken.zip cannot be read")).toBe("broken.zip cannot be read.");
  expect(sentence("`was` names nothing")).toBe("`was` names nothing.");
});
