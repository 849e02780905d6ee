// Addresses: every parameter is a plain word, so that links can be read and written by hand.

export interface ShellSearch {
  /** The project looked at; all of them if missing, `-` for what is in none. */
  project?: string;
  /** The memory whose detail panel is open. */
  memory?: string;
  /** `yes` opens the panel ready to edit. */
  edit?: string;
}

export type Words = Record<string, string | undefined>;

export function parseWords(search: string): Words {
  return Object.fromEntries(new URLSearchParams(search));
}

export function writeWords(search: Words): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined && value !== "") words.set(name, value);
  const text = words.toString();
  return text === "" ? "" : `?${text}`;
}

/** Returns the values of a list such as `a,b`. */
export function listOf(value: string | undefined): string[] {
  return value === undefined ? [] : value.split(",").filter(Boolean);
}

export function wordOf(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(",");
}

/** Keeps the named parameters and nothing else. */
export function only<const Name extends string>(...names: Name[]) {
  return (search: Words): { [name in Name]?: string } =>
    Object.fromEntries(names.flatMap((name) => (search[name] ? [[name, search[name]]] : []))) as { [name in Name]?: string };
}
