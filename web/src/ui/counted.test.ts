import { expect, test } from "vitest";
import { counted } from "@/ui/counted";

test("counts one and many", () => {
  expect([counted(1, "file"), counted(0, "file"), counted(1, "memory"), counted(1_200, "memory")]).toEqual(["1 file", "0 files", "1 memory", "1,200 memories"]);
});
