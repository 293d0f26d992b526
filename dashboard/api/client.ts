import { formatWait } from '../lib/format.ts';
import { isAnythingUnsaved } from '../lib/unsaved.ts';
import type { Api } from './schema.ts';

type Method = 'get' | 'post' | 'put' | 'delete';
type Path = keyof Api;
/** The paths that have this method. */
type PathOf<M extends Method> = { [P in Path]: M extends keyof Api[P] ? P : never }[Path];
type Call<P extends Path, M extends Method> = M extends keyof Api[P]
  ? Api[P][M] extends { path: unknown; query: unknown; body: unknown; answer: unknown }
    ? Api[P][M]
    : never
  : never;

/** The response of a call: `Answer<'/open/workspaces'>`, `Answer<'/login', 'post'>`. */
export type Answer<P extends Path, M extends Method = 'get'> = Call<P, M>['answer'];
/** The body of a call. */
export type Body<P extends Path, M extends Method> = Call<P, M>['body'];

type Input<C extends { path: unknown; query: unknown; body: unknown }> = (C['path'] extends null
  ? unknown
  : { path: C['path'] }) &
  (C['body'] extends null ? unknown : { body: C['body'] }) &
  (C['query'] extends null ? unknown : { query?: C['query'] }) & { signal?: AbortSignal };
type Arguments<C extends { path: unknown; query: unknown; body: unknown }> =
  Record<never, never> extends Input<C> ? [input?: Input<C>] : [input: Input<C>];

interface AnyInput {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

/** Messages by key, as in every 422. */
export type Errors = Record<string, string[]>;

/** A response other than success, or status 0 if the service could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: Errors;
  /** Further members of the response. */
  readonly members: Record<string, unknown>;

  constructor(
    status: number,
    message: string,
    { errors = {}, ...members }: { errors?: Errors; [member: string]: unknown } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.members = members;
  }
}

/** Whether trying again may help: not after a clear refusal. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;
}

/** The API of the service, typed by its own description: `api.get('/open/forms/{form}', { path: { form: 1 } })`. */
export const api = {
  get: <P extends PathOf<'get'>>(path: P, ...[input]: Arguments<Call<P, 'get'>>) =>
    send('get', path, input as AnyInput) as Promise<Answer<P, 'get'>>,
  post: <P extends PathOf<'post'>>(path: P, ...[input]: Arguments<Call<P, 'post'>>) =>
    send('post', path, input as AnyInput) as Promise<Answer<P, 'post'>>,
  put: <P extends PathOf<'put'>>(path: P, ...[input]: Arguments<Call<P, 'put'>>) =>
    send('put', path, input as AnyInput) as Promise<Answer<P, 'put'>>,
  delete: <P extends PathOf<'delete'>>(path: P, ...[input]: Arguments<Call<P, 'delete'>>) =>
    send('delete', path, input as AnyInput) as Promise<Answer<P, 'delete'>>,
};

async function send(
  method: Method,
  path: string,
  { path: names, query, body, signal }: AnyInput = {},
): Promise<unknown> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = body instanceof Blob ? body.type : 'application/json';
  const answer = await reach(address(path, names, query), {
    method: method.toUpperCase(),
    headers,
    credentials: 'same-origin',
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const content = await contentOf(answer);
  if (answer.ok) return content;
  throw refusalOf(answer, content);
}

/** The response of a call that answers no JSON for this program, but a text for people. */
export async function getText(
  path: PathOf<'get'>,
  { path: names, query, signal }: Omit<AnyInput, 'body'>,
): Promise<string> {
  const answer = await reach(address(path, names, query), {
    credentials: 'same-origin',
    ...(signal && { signal }),
  });
  if (answer.ok) return answer.text();
  throw refusalOf(answer, await contentOf(answer));
}

/**
 * A call whose response may be a file (an attachment).
 * @param json as a string, because objects put members that look like numbers first, and here the order counts
 * @returns the file, or any other response as JSON
 */
export async function postForFile(
  path: PathOf<'post'>,
  names: Record<string, string | number>,
  json: string,
  query: Record<string, unknown> = {},
): Promise<{ file: Blob } | { content: unknown }> {
  const answer = await reach(address(path, names, query), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'same-origin',
    body: json,
  });
  if (answer.ok && isAttachment(answer)) return { file: await wholeFile(answer) };
  const content = await contentOf(answer);
  if (answer.ok) return { content };
  throw refusalOf(answer, content);
}

function isAttachment(answer: Response): boolean {
  return answer.headers.get('content-disposition')?.startsWith('attachment') ?? false;
}

async function wholeFile(answer: Response): Promise<Blob> {
  try {
    return await answer.blob();
  } catch {
    throw new ApiError(0, 'The file broke off on its way. Try again.');
  }
}

async function contentOf(answer: Response) {
  const text = await answer.text();
  return isJson(answer) && text !== '' ? JSON.parse(text) : null;
}

function isJson(answer: Response): boolean {
  return answer.headers.get('content-type')?.includes('json') ?? false;
}

function refusalOf(answer: Response, content: { message?: string; errors?: Errors } | null): ApiError {
  const message = content?.message ?? 'Something went wrong.';
  const better = answer.status === 401 ? signedOut() : answer.status === 429 ? tooMany(answer) : null;
  return new ApiError(answer.status, better ?? message, content ?? {});
}

/** Says when to try again, if the response tells. */
function tooMany({ headers }: Response): string | null {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? `Too many attempts. Try again ${formatWait(seconds)}.` : null;
}

function signedOut(): string {
  return isAnythingUnsaved()
    ? 'Your session has ended. Sign in in another tab, then try again.'
    : 'Your session has ended. Sign in again to go on.';
}

let refusedBecause: string | null = null;

/** Refuses all further calls as if nobody were signed in; null ends that. */
export function refuseCalls(message: string | null): void {
  refusedBecause = message;
}

export function areCallsRefused(): boolean {
  return refusedBecause !== null;
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  if (refusedBecause !== null) throw new ApiError(401, refusedBecause);
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
}

export function unreachable(): ApiError {
  return new ApiError(0, 'The service cannot be reached. Check your connection and try again.');
}

/** Whether the service responds at all. */
export function isReachable(): Promise<boolean> {
  return fetch('/livez', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}

/** The address with its path parameters filled in; undefined, null and empty parameters are left out, lists are repeated. */
export function address(
  path: string,
  names: Record<string, string | number> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
  const parameters = new URLSearchParams();
  for (const [key, values] of Object.entries(query)) {
    for (const value of [values].flat())
      if (value !== undefined && value !== null && value !== '') parameters.append(key, String(value));
  }
  return parameters.size > 0 ? `${filled}?${parameters}` : filled;
}
