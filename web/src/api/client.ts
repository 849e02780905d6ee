// Sends requests to the service this page came from; types follow from the OpenAPI document.
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./schema";

type Schemas = components["schemas"];

/** An answer that is no success, with the stable code of the service; `offline` if there was none. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly hint: string | null = null,
  ) {
    super(detail);
  }
}

let csrf: string | null = null;
let onSignedOut = (): void => undefined;

export function setCsrf(token: string | null): void {
  csrf = token;
}

/** Names what to do when the service asks for a credential. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act;
}

const guard: Middleware = {
  onRequest({ request }) {
    if (csrf !== null && request.method !== "GET") request.headers.set("Holdfast-CSRF", csrf);
    return request;
  },
};

export const api = createClient<paths>({
  baseUrl: location.origin,
  querySerializer: { array: { style: "form", explode: true } },
});
api.use(guard);

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the body of a success and throws a `Problem` for everything else. */
export async function unwrap<T>(sent: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await sent;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new Problem(0, "offline", "The service does not answer.", "Is `holdfast serve` still running?");
  }
  if (answer.response.ok) return answer.data as T;
  throw problemOf(answer.response, answer.error);
}

function problemOf(response: Response, body: unknown): Problem {
  const fields = (typeof body === "object" && body !== null ? body : {}) as Partial<Schemas["Problem"]>;
  const problem = new Problem(
    response.status,
    fields.code ?? `http_${response.status}`,
    fields.detail ?? `The service answered ${response.status}.`,
    fields.hint ?? null,
  );
  if (problem.status === 401 || problem.code.startsWith("csrf")) onSignedOut();
  return problem;
}

/** Sends a request to a path that is not in the OpenAPI document, such as sign-in. */
export async function plain<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (csrf !== null && method === "POST") headers["Holdfast-CSRF"] = csrf;
  let response: Response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new Problem(0, "offline", "The service does not answer.", "Is `holdfast serve` still running?");
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw problemOf(response, answer);
  return answer as T;
}
