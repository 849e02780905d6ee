// How far somebody trusts what is found, by who said it.
import { listOf } from "@/app/search";

/** Each choice: its name in the address, its label, and who may have said what is left. */
export const TRUST = [
  ["people", "Only what people said", ["user"]],
  ["known", "Nothing from the web, tools or models", ["user", "agent", "import", "file", "extraction"]],
] as const;

/** Returns the origins that are searched. The filters replace each other; in an address with both, trust counts. */
export function originsOf(trust: string | undefined, origins: string | undefined): { origins?: string[] } {
  const trusted = TRUST.find(([name]) => name === trust)?.[2];
  if (trusted !== undefined) return { origins: [...trusted] };
  return origins === undefined ? {} : { origins: listOf(origins) };
}
