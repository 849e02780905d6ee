// What `?project=` of an address means to the service.

/** The value of `?project=` for what is in no project. */
export const OUTSIDE = "-";

/** Returns the project argument of a request: every project, none, or the one that is named. */
export function place(project: string | undefined): { project?: string } {
  if (project === OUTSIDE) return {};
  return { project: project ?? "*" };
}
