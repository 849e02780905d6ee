// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Markdown } from "./Markdown";

afterEach(cleanup);

const PAYLOADS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "![x](http://evil.example/x.png)",
  "[press](javascript:alert(1))",
  "<svg/onload=alert(1)>",
  "<iframe src=http://evil.example></iframe>",
  "[a]: http://evil.example 'x'\n\n[a]",
  "- item <style>@import url(http://evil.example)</style>",
  "| <b onclick=alert(1)>x</b> |\n|---|\n| <a href='javascript:alert(1)'>y</a> |",
];

test.each(PAYLOADS)("shows %s as words and loads nothing", (payload) => {
  const { container } = render(<Markdown text={payload} />);
  expect(container.querySelectorAll("script, img, svg, iframe, style, a, b, [onclick], [href], [src]")).toHaveLength(0);
});

test("shows lists, tables and code as such", () => {
  render(<Markdown text={"1. one\n2. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx = 1\n```"} />);
  expect(screen.getAllByRole("listitem")).toHaveLength(2);
  expect(screen.getByRole("table")).toBeTruthy();
  expect(screen.getByText("x = 1")).toBeTruthy();
});
