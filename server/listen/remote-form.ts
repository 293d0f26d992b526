import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../cli/command.ts';
import { oneLine } from '../cli/one-line.ts';
import { VERSION } from '../version.ts';
import { readRings } from './rings.ts';

/** A form of another Formstead, as a token may read it. */
export interface RemoteForm {
  /** One page of its submissions. */
  list(query: Record<string, string | number>): Promise<RemotePage>;
  /** null when there is no such submission. */
  find(submission: string): Promise<RemoteSubmission | null>;
  /** Changes of a submission, the latest first; none when it is gone. */
  changesOf(id: number): Promise<RemoteChange[]>;
  /** What a webhook gets for a submission or a change of it; null when that is gone. */
  bodyOf(id: number, change?: number): Promise<WebhookBody | null>;
  /** Tells whenever something happened to its submissions, until the connection ends; null when there is none to be had now. */
  openRings(): Promise<AsyncIterable<void> | null>;
  pause(milliseconds: number): Promise<void>;
}

export interface RemoteSubmission {
  id: number;
  form_id: number;
  status: string;
  created_at: string;
  updated_at: string;
}

interface RemoteChange {
  id: number;
  changed_at: string;
}

interface WebhookBody {
  body: string;
  arrival: string;
}

interface RemotePage {
  data: RemoteSubmission[];
  links: { next: string | null };
  meta: { next_cursor?: string | null };
}

interface RemoteFormOptions {
  /** Address of the service, without a slash at the end. */
  url: string;
  token: string;
  /** Number, slug or UUID. */
  form: string;
  /** Told when the service stops answering, and when it answers again. */
  tell(line: string): void;
  /** Aborts whatever is under way. */
  leaving: AbortSignal;
}

/** Time for an answer to arrive completely. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Time for a stream of events to begin: a proxy may hold it back. */
const EVENTS_TIMEOUT_MS = 10_000;
/** Wait before the next attempt while the service does not answer. */
const PAUSE_MS = 1_000;
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * Calls the API of a service. After its first answer it may be away for any time: whatever is asked meanwhile waits. Refusals
 * that waiting does not mend are CommandErrors.
 */
export function createRemoteForm({ url, token, form, tell, leaving }: RemoteFormOptions): RemoteForm {
  const path = `${url}/open/forms/${encodeURIComponent(form)}/submissions`;
  let hasAnswered = false;
  let isAway = false;

  /** @returns the answer, or in words why there is none now */
  async function ask(address: string, accept: string, signal: AbortSignal): Promise<Response | Trouble> {
    const headers = { authorization: `Bearer ${token}`, accept, 'user-agent': `Formstead/${VERSION} listen` };
    try {
      const response = await fetch(address, { headers, redirect: 'manual', signal });
      if (response.status !== 429 && response.status < 500) return response;
      await response.body?.cancel();
      const seconds = Number(response.headers.get('retry-after')) || 0;
      const why = response.status === 429 ? 'too many requests' : `status ${response.status}`;
      return { why, waitMs: Math.min(seconds * 1000, MAX_RETRY_AFTER_MS) };
    } catch (error) {
      leaving.throwIfAborted();
      return { why: reasonOf(error), waitMs: 0 };
    }
  }

  async function waitFor({ why, waitMs }: Trouble): Promise<void> {
    if (!hasAnswered) throw new CommandError(`${url} does not answer (${why}).`);
    if (!isAway) tell(`${url} does not answer (${why}); trying again …`);
    isAway = true;
    await sleep(Math.max(waitMs, PAUSE_MS), undefined, { signal: leaving });
  }

  function welcome(): void {
    if (isAway) tell(`${url} answers again.`);
    isAway = false;
    hasAnswered = true;
  }

  /** @returns the JSON of the answer; null for a status in `missing` only */
  async function read<Body>(address: string, missing: readonly number[] = []): Promise<Body | null> {
    for (;;) {
      const answer = await readOnce(address);
      if ('why' in answer) {
        await waitFor(answer);
        continue;
      }
      const { status, json, message } = answer;
      if (isDone(answer)) {
        welcome();
        return json as Body;
      }
      const isOfSubmission = status !== 404 || message === 'Submission not found.';
      if (missing.includes(status) && isOfSubmission) return null;
      throw refusal(answer);
    }
  }

  async function readOnce(address: string): Promise<JsonAnswer | Trouble> {
    const signal = AbortSignal.any([leaving, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    const response = await ask(address, 'application/json', signal);
    const answer = 'why' in response ? response : await readJson(response);
    if ('why' in answer || isDone(answer)) return answer;
    // Proxies have pages of their own while the service is away.
    const isOfProxy = answer.message === undefined && hasAnswered;
    return isOfProxy ? { why: `status ${answer.status}`, waitMs: 0 } : answer;
  }

  async function readJson(response: Response): Promise<JsonAnswer | Trouble> {
    try {
      const text = await response.text();
      const { status, headers } = response;
      const isJson = headers.get('content-type')?.includes('json') ?? false;
      const json = isJson ? JSON.parse(text) : null;
      return { status, headers, json, message: json?.message };
    } catch (error) {
      leaving.throwIfAborted();
      return { why: reasonOf(error), waitMs: 0 };
    }
  }

  function refusal({ status, headers, message }: JsonAnswer): CommandError {
    const location = URL.parse(headers.get('location') ?? '', url);
    if (status >= 300 && status < 400 && location)
      return new CommandError(`${url} redirects to ${location.origin}: use that as --url.`);
    if (message === undefined)
      return new CommandError(`${url} does not answer as Formstead does (${status}).`);
    if (status === 401) return new CommandError(`${url} does not accept the token (401).`);
    if (status === 403)
      return new CommandError(
        `The token may not read the submissions of ${form} (403): it needs forms-read, and its owner has to be a member of the workspace.`,
      );
    if (status === 404 && message === 'Form not found.')
      return new CommandError(`${url} has no form ${form} (404).`);
    if (status === 404)
      return new CommandError(`${url} is another version of Formstead, which cannot be listened to (404).`);
    return new CommandError(oneLine(`${url} refuses: ${message} (${status})`));
  }

  async function must<Body>(address: string): Promise<Body> {
    return (await read<Body>(address)) as Body;
  }

  return {
    list: (query) =>
      must(`${path}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, `${v}`]))}`),
    find: (submission) => read(`${path}/${encodeURIComponent(submission)}`, [404]),
    async changesOf(id) {
      return (await read<{ changes: RemoteChange[] }>(`${path}/${id}/changes`, [404]))?.changes ?? [];
    },
    bodyOf: (id, change) =>
      read(`${path}/${id}/webhook-body${change === undefined ? '' : `?change=${change}`}`, [404, 422]),
    async openRings() {
      const broken = new AbortController();
      const opening = setTimeout(() => broken.abort(), EVENTS_TIMEOUT_MS);
      const signal = AbortSignal.any([leaving, broken.signal]);
      const answer = await ask(`${path}/events`, 'text/event-stream', signal).finally(() =>
        clearTimeout(opening),
      );
      if (!('why' in answer) && answer.status === 200 && answer.body)
        return readRings(answer.body, broken, leaving);
      broken.abort();
      return null;
    },
    pause: (milliseconds) => sleep(milliseconds, undefined, { signal: leaving }),
  };
}

interface JsonAnswer {
  status: number;
  headers: Headers;
  /** null if it is something else. */
  json: unknown;
  /** Of a refusal. */
  message: string | undefined;
}

function isDone({ status, json }: JsonAnswer): boolean {
  return status === 200 && json !== null;
}

interface Trouble {
  why: string;
  /** How long the service asks to wait. */
  waitMs: number;
}

/** A code such as ECONNREFUSED, or the message of the innermost error. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return 'no answer in time';
  if (!(cause instanceof Error)) return message;
  const [first = cause] = cause instanceof AggregateError ? (cause.errors as Error[]) : [];
  const { code } = first as NodeJS.ErrnoException;
  return code?.startsWith('UND_') ? 'the connection was lost' : (code ?? first.message);
}
