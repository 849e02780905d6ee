// Doing the same for many, a few requests at a time.

const AT_ONCE = 4;

export interface Outcome<T> {
  done: T[];
  /** Why the first of those that failed did, if any did. */
  problem: unknown;
}

/** Does something for each of many. One that fails stops none of the others. */
export async function each<T>(items: readonly T[], does: (item: T) => Promise<unknown>): Promise<Outcome<T>> {
  const done: T[] = [];
  let problem: unknown = null;
  const rest = [...items];
  const work = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
      try {
        await does(next);
        done.push(next);
      } catch (cause) {
        problem ??= cause;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, problem };
}
