import { expect, test } from "vitest";
import { installing } from "./installing";

test("an agent of a service elsewhere needs its address and a key", () => {
  expect(installing("cursor", { origin: "http://127.0.0.1:5858", hostname: "127.0.0.1" })).toBe("holdfast agents install cursor");
  expect(installing("cursor", { origin: "https://memory.example", hostname: "memory.example" }))
    .toBe("holdfast mcp install cursor --url https://memory.example --api-key-file KEY-FILE");
});
