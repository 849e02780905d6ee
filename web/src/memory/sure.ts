// How sure something is, as the one figure that every page shows.

/** Returns a confidence from 0 to 1 in percent, of the two digits that an agent is given: each page rounds alike. */
export function percentOf(confidence: number): number {
  return Math.round(Number(confidence.toFixed(2)) * 100);
}
