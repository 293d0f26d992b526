import { transferMs } from './transfer-ms.ts';

/** The service's response about a file. */
export interface FileAnswer {
  /** 0 if there was no response. */
  status: number;
  message?: string;
  errors?: Record<string, string[]>;
  /** Value that stands for the file in the answers. */
  reference?: string;
}

/** A begun upload, to be continued. */
export interface BegunUpload {
  uuid: string;
  reference: string;
}

/** A file on its way to a field. */
export interface Transfer {
  file: File;
  /** Path of the form. */
  path: string;
  field: string;
  language: string;
  /** Key to a password-protected form. */
  key?: string | null;
  /** Attempts in a row without progress. */
  attempts: number;
  /** Aborts the upload and deletes what has arrived. */
  signal?: AbortSignal;
  begun?: BegunUpload | undefined;
  onBegun?(begun: BegunUpload): unknown;
  /** @param share from 0 to 1 */
  onProgress?(share: number): void;
}

/** Bytes: larger files are sent in parts, and no part is smaller. */
export const LARGE = 4 * 1024 * 1024;
const MIN_PART = 1024 * 1024;
/** The most parts of a file; larger files get larger parts. */
const PARTS = 64;
/** Temporary: no response, too many requests, the parts are just being joined, or the offset is wrong. */
const FOR_NOW = [0, 408, 409, 423, 429];
const LONGEST_PAUSE_MS = 15_000;
/** Seconds; if the service asks for a longer wait, its reason is shown instead. */
const LONGEST_WAIT_S = 60;

/** The response with what its headers say. */
interface Answer extends FileAnswer {
  /** Bytes that have arrived. */
  offset: number | null;
  /** Seconds to wait before the next try. */
  again: number;
}

const NOBODY: Answer = { status: 0, offset: null, again: 0 };

/**
 * Sends a large file so that after a broken connection only the rest is sent (tus 1.0).
 * @returns the service's final response; 404 if it accepts no parts, 0 at once if the file has changed meanwhile
 */
export async function sendInParts(transfer: Transfer): Promise<FileAnswer> {
  const { file, attempts, signal } = transfer;
  const address = `${transfer.path}/uploads`;
  const partSize = Math.max(MIN_PART, Math.ceil(file.size / PARTS));
  let begun = transfer.begun;
  /** Bytes that have arrived; null if the service has to be asked. */
  let offset: number | null = null;
  /** The largest offset so far. */
  let furthest = -1;
  /** Attempts in a row without progress. */
  let failures = 0;

  async function begin(): Promise<Answer> {
    const answer = await call(transfer, 'POST', address, {
      'upload-length': `${file.size}`,
      'upload-metadata': `filename ${base64(file.name)}`,
    });
    const { uuid, reference } = answer as Answer & BegunUpload;
    if (answer.status !== 201) return answer;
    begun = { uuid, reference };
    await transfer.onBegun?.(begun);
    return { ...answer, offset: 0 };
  }

  /** Asks for the offset if it is unknown, otherwise sends one part. */
  function next(): Promise<Answer> {
    if (!begun) return begin();
    const own = `${address}/${begun.uuid}`;
    if (offset === null) return call(transfer, 'HEAD', own);
    const part = file.slice(offset, offset + partSize);
    return call(transfer, 'PATCH', own, { 'upload-offset': `${offset}` }, part);
  }

  function advance(to: number): void {
    offset = to;
    if (to > furthest) failures = 0;
    furthest = Math.max(furthest, to);
    transfer.onProgress?.(to / file.size);
  }

  function abandon(): FileAnswer {
    if (begun) call(transfer, 'DELETE', `${address}/${begun.uuid}`).catch(() => {});
    return NOBODY;
  }

  while (offset !== file.size) {
    const known = begun;
    const answer = signal?.aborted ? NOBODY : await next().catch(() => NOBODY);
    if (signal?.aborted) return abandon();
    const reached = newOffset(answer, offset);
    if (reached !== null) {
      advance(reached);
      continue;
    }
    // A success without an offset is not the service's: the sign-in page of a network answers so.
    const refusal = answer.status < 400 ? NOBODY : answer;
    const { status, again } = refusal;
    // The service forgets an upload that got no part for a day.
    const isForgotten = status === 404 && known !== undefined;
    if (isForgotten) begun = undefined;
    const isForNow = isForgotten || status >= 500 || FOR_NOW.includes(status);
    const isFinal = !isForNow || again > LONGEST_WAIT_S || ++failures > attempts;
    if (isFinal || (status === 0 && !(await isReadable(file)))) return refusal;
    // Only the service knows how much of the part has arrived.
    offset = null;
    await pause(Math.max(again * 1000, Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS)), signal);
  }
  return { status: 201, reference: begun?.reference ?? '' };
}

/** The offset in a successful response; null if it tells none, or the one before: the part would be sent without end. */
function newOffset({ status, offset }: Answer, before: number | null): number | null {
  const isNew = offset !== null && (before === null || offset > before);
  return isNew && status < 300 ? offset : null;
}

/**
 * Whether the file can be read as it was chosen. Otherwise requests with it fail as they do without a network. Firefox reads a
 * changed file as it is now, so only a shorter one is noticed there.
 */
export function isReadable(file: File): Promise<boolean> {
  const last = file.slice(-1).arrayBuffer();
  return last.then(
    ({ byteLength }) => byteLength > 0 || file.size === 0,
    () => false,
  );
}

/**
 * Makes one request.
 * @throws Error if no response comes in time, or the file cannot be read
 */
async function call(
  { field, language, key, signal }: Transfer,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  part?: Blob,
): Promise<Answer> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, transferMs(part?.size ?? 0));
  signal?.addEventListener('abort', stop);
  try {
    const answer = await fetch(`${path}?${new URLSearchParams({ field, lang: language })}`, {
      method,
      signal: controller.signal,
      headers: {
        accept: 'application/json',
        'tus-resumable': '1.0.0',
        ...(part && { 'content-type': 'application/offset+octet-stream' }),
        ...(key != null && { 'form-password': key }),
        ...headers,
      },
      ...(part && { body: part }),
    });
    const text = await answer.text();
    const received = answer.headers.get('upload-offset');
    return {
      ...(text.startsWith('{') && JSON.parse(text)),
      status: answer.status,
      offset: received === null ? null : Number(received),
      again: Number(answer.headers.get('retry-after') ?? 0),
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Ends early when the network is back or the upload is aborted. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    signal?.addEventListener('abort', end);
  });
}

/** Encodes the text as UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
