import { expect, test } from "vitest";
import { plainText } from "./plainText";

test.each([
  ["# Deploys\n\n- run on **Tuesdays**\n- with `make`", "Deploys\n• run on Tuesdays\n• with make"],
  ["| day | what |\n| --- | --- |\n| Monday | rest |", "day · what\nMonday · rest"],
  ["<!-- made by a script -->\n```python\nx = 1\n```", "x = 1"],
  ["2 ** 3 and __init__ in a_b_c | d", "2 ** 3 and __init__ in a_b_c | d"],
  [": cut off at the front", "cut off at the front"],
  ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
])("shows %j as %j", (text, plain) => {
  expect(plainText(text)).toBe(plain);
});
