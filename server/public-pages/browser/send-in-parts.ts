import { transferMs } from './transfer-ms.ts';

/** What the service says of a file. */
export interface FileAnswer {
  /** 0 where nobody answered. */
  status: number;
  message?: string;
  errors?: Record<string, string[]>;
  /** Stands for the file in the answers. */
  reference?: string;
}

/** An upload that was begun, to go on with. */
export interface BegunUpload {
  uuid: string;
  reference: string;
}

/** A file on its way to a field. */
export interface Transfer {
  file: File;
  /** Slug or UUID of the form. */
  form: string;
  field: string;
  language: string;
  /** What opens a protected form. */
  key?: string | null;
  /** Times in a row that it is tried without anything arriving. */
  attempts: number;
  /** Gives it up, and what has arrived. */
  signal?: AbortSignal;
  begun?: BegunUpload | undefined;
  onBegun?(begun: BegunUpload): unknown;
  /** @param share of 1 */
  onProgress?(share: number): void;
}

/** Bytes from which a file travels in parts, and of the smallest part. */
export const LARGE = 4 * 1024 * 1024;
const MIN_PART = 1024 * 1024;
/** A larger file has larger parts. */
const PARTS = 64;
/** Answers that say nothing of the file: too many at once, the parts are just being put together, another offset. */
const FOR_NOW = [408, 409, 423, 429];
const LONGEST_PAUSE_MS = 15_000;
/** Whoever is told to come back later than that is told why instead. */
const LONGEST_WAIT_S = 60;

/** The same, and what its headers say. */
interface Answer extends FileAnswer {
  /** Bytes that have arrived. */
  offset: number | null;
  /** Seconds to wait before the next try. */
  again: number;
}

const NOBODY: Answer = { status: 0, offset: null, again: 0 };

/**
 * Sends a large file so that what has arrived before a connection breaks is not sent again (tus 1.0).
 * @returns what the service said in the end; 404 where it takes none in parts
 */
export async function sendInParts(transfer: Transfer): Promise<FileAnswer> {
  const { file, attempts, signal } = transfer;
  const address = `/forms/${transfer.form}/uploads`;
  const partSize = Math.max(MIN_PART, Math.ceil(file.size / PARTS));
  let begun = transfer.begun;
  /** Bytes that have arrived; null where the service has to be asked. */
  let offset: number | null = null;
  /** The most of them so far. */
  let furthest = -1;

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

  /** Where to go on, then one part after the other. */
  function next(): Promise<Answer> {
    if (!begun) return begin();
    const own = `${address}/${begun.uuid}`;
    if (offset === null) return call(transfer, 'HEAD', own);
    const part = file.slice(offset, offset + partSize);
    return call(transfer, 'PATCH', own, { 'upload-offset': `${offset}` }, part);
  }

  for (let failures = 0; ; ) {
    const known = begun;
    const answer = await next().catch(() => NOBODY);
    if (signal?.aborted) {
      if (begun) call(transfer, 'DELETE', `${address}/${begun.uuid}`).catch(() => {});
      return NOBODY;
    }
    const { status, again } = answer;
    if (answer.offset !== null && status < 300) {
      offset = answer.offset;
      if (offset > furthest) failures = 0;
      furthest = Math.max(furthest, offset);
      transfer.onProgress?.(offset / file.size);
      if (offset === file.size) return { status: 201, reference: begun?.reference ?? '' };
      continue;
    }
    // A day without a part, and the service has forgotten what had come.
    const isForgotten = status === 404 && known !== undefined;
    if (isForgotten) begun = undefined;
    const isForNow = isForgotten || status === 0 || status >= 500 || FOR_NOW.includes(status);
    if (!isForNow || again > LONGEST_WAIT_S || ++failures > attempts) return answer;
    // How much of a part came through is for the service to say.
    offset = null;
    await pause(Math.max(again * 1000, Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS)), signal);
  }
}

/** One request. @throws Error where nobody answered in time, or the file cannot be read */
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

/** Ends sooner when the network is back, or nobody waits any more. */
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

/** Of the text in UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
