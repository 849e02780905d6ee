// Numbers with their nouns.

/** Returns `1 file`, `2 files`, `1,200 memories`. */
export function counted(count: number, one: string, many = one.endsWith("y") ? `${one.slice(0, -1)}ies` : `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
