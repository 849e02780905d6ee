// A time as people say it, with the exact one in the tooltip.
import { once } from "./once";

// the first format of a page takes as long as drawing it, so none is made before it is used
const relative = once(() => new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" }));
const exact = once(() => new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "short" }));
const dayOfYear = once(() => new Intl.DateTimeFormat("en", { day: "numeric", month: "short" }));
const fullDay = once(() => new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" }));
const STEPS = [[60_000, 1_000, "second"], [3_600_000, 60_000, "minute"], [86_400_000, 3_600_000, "hour"], [604_800_000, 86_400_000, "day"]] as const;

/** Returns `3 hr. ago` within a week, `12 Oct` within the year, else the whole date. */
export function timeText(iso: string, now = new Date()): string {
  const date = new Date(iso);
  const ago = now.getTime() - date.getTime();
  if (isNaN(ago)) return iso;
  if (Math.abs(ago) < 10_000) return "just now";
  const step = STEPS.find(([within]) => Math.abs(ago) < within);
  if (step) return relative().format(-Math.round(ago / step[1]), step[2]);
  return date.getFullYear() === now.getFullYear() ? dayOfYear().format(date) : fullDay().format(date);
}

export function dayText(iso: string): string {
  const date = new Date(iso);
  return isNaN(date.getTime()) ? iso : fullDay().format(date);
}

const weekday = once(() => new Intl.DateTimeFormat("en", { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }));

/** Returns a day such as `2026-11-23` with the day of the week. */
export function weekdayText(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return isNaN(date.getTime()) ? day : weekday().format(date);
}

export function Time({ at, label }: { at: string; label?: string }) {
  const date = new Date(at);
  const title = (label === undefined ? "" : `${label} `) + (isNaN(date.getTime()) ? at : exact().format(date));
  return <time dateTime={at} title={title}>{timeText(at)}</time>;
}
