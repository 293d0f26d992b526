import { type BegunUpload, LARGE, sendInParts, type Transfer } from '../send-in-parts.ts';
import { transferMs } from '../transfer-ms.ts';
import {
  type KeptFile,
  readFile,
  readWaiting,
  removeWaiting,
  type Waiting,
  writeFile,
  writeWaiting,
} from './waiting.ts';

/** What became of the forms that waited. */
export interface Delivery {
  sent: Waiting[];
  /** Some have to wait on: there is no connection, the service has no time, or the form is closed. */
  isUnfinished: boolean;
}

/** Why the service does not take a file. */
export class Refusal extends Error {}

const LOCK = 'formstead-offline';
/** Of answers that say nothing of what was sent: the form is closed, full or gone, or there are too many at once. */
const LATER = [403, 404, 408, 423, 429];
/** Times in a row that a large file is tried; then it waits with the form. */
const ATTEMPTS = 3;

/** Sends what waits of one form, or of all; pages and the worker take turns. What was refused is not sent again. */
export function sendWaiting(uuid: string | null): Promise<Delivery> {
  return navigator.locks.request(LOCK, async () => {
    const sent: Waiting[] = [];
    /** Forms that take nothing now. */
    const shut = new Set<string>();
    for (const waiting of await readWaiting(uuid)) {
      if (waiting.refusal !== undefined || shut.has(waiting.uuid)) continue;
      // What the device cannot read now it may read later: the service has refused nothing.
      const outcome = await sendOne(waiting).catch(() => 'later' as const);
      if (outcome === 'later') shut.add(waiting.uuid);
      if (outcome === 'sent') sent.push(waiting);
    }
    return { sent, isUnfinished: shut.size > 0 };
  });
}

/**
 * Uploads a file that is kept, unless it was.
 * @returns the reference that stands for it, null where it has to wait on; any other text as it is
 * @throws Refusal, or DOMException where the device cannot read it
 */
export async function uploadKept(
  { uuid, language }: Pick<Waiting, 'uuid' | 'language'>,
  field: string,
  name: string,
): Promise<string | null> {
  const kept = await readFile(name);
  if (!kept) return name;
  if (kept.reference !== undefined) return kept.reference;
  const answer = await sendKept(kept, { form: uuid, field, language }, (upload) =>
    writeFile(name, { ...kept, upload }),
  );
  if (!answer) return null;
  const { reference } = answer.content;
  if (reference === undefined) throw new Refusal(problemIn(answer.content));
  // It has arrived; what the device cannot note is uploaded once more if need be.
  await writeFile(name, { ...kept, reference }).catch(() => {});
  return reference;
}

/** @returns null as `post` */
async function sendKept(
  { file, upload: begun }: KeptFile,
  place: Pick<Transfer, 'form' | 'field' | 'language'>,
  note: (upload: BegunUpload) => Promise<void>,
): Promise<{ content: Content } | null> {
  if (file.size > LARGE) {
    const onBegun = (upload: BegunUpload) => note(upload).catch(() => {});
    const content = await sendInParts({ file, ...place, attempts: ATTEMPTS, begun, onBegun });
    return isForLater(content.status) ? null : { content };
  }
  const body = new FormData();
  body.append('file', file);
  const query = new URLSearchParams({ field: place.field, lang: place.language });
  return post(`/forms/${place.form}/files?${query}`, body, file.size);
}

async function sendOne(waiting: Waiting, isAgain = false): Promise<'sent' | 'refused' | 'later'> {
  const refuse = async (refusal: string) => {
    await writeWaiting({ ...waiting, refusal });
    return 'refused' as const;
  };
  const body = new URLSearchParams();
  try {
    for (const [name, value] of waiting.entries) {
      const sent = await uploadKept(waiting, name, value);
      if (sent === null) return 'later';
      body.append(name, sent);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse(error.message);
  }
  // By its id: its address may be another one by now.
  const answer = await post(`/forms/${waiting.uuid}?${waiting.query}`, body);
  if (!answer) return 'later';
  if (answer.isTaken) {
    await removeWaiting(waiting);
    return 'sent';
  }
  const { errors = {} } = answer.content;
  const query = new URLSearchParams(waiting.query);
  if (errors.submission_hash && query.has('submission_hash')) {
    // What was saved on the way is gone: these answers begin a submission of their own.
    query.delete('submission_hash');
    return sendOne({ ...waiting, query: `${query}` }, isAgain);
  }
  // The form asks for one by now.
  if (errors.captcha) return 'later';
  // Uploads that waited for too long are gone; not before they are refused, as others would be other answers.
  if (!isAgain && (await forgetUploads(waiting))) return sendOne(waiting, true);
  return refuse(problemIn(answer.content));
}

/** @returns whether there were any */
async function forgetUploads({ entries }: Waiting): Promise<boolean> {
  let hasForgotten = false;
  for (const [, name] of entries) {
    const kept = await readFile(name);
    if (kept?.reference === undefined) continue;
    const { reference: _gone, ...file } = kept;
    await writeFile(name, file);
    hasForgotten = true;
  }
  return hasForgotten;
}

interface Content {
  message?: string;
  errors?: Record<string, string[]>;
  reference?: string;
}

/** @returns null where nobody answered, or somebody who takes nothing now */
async function post(
  address: string,
  body: FormData | URLSearchParams,
  size = 0,
): Promise<{ isTaken: boolean; content: Content } | null> {
  try {
    const signal = AbortSignal.timeout(transferMs(size));
    const answer = await fetch(address, {
      method: 'POST',
      body,
      signal,
      headers: { accept: 'application/json' },
    });
    if (isForLater(answer.status)) return null;
    return { isTaken: answer.ok, content: await answer.json() };
  } catch {
    return null;
  }
}

function isForLater(status: number): boolean {
  return status === 0 || status >= 500 || LATER.includes(status);
}

function problemIn({ message = '', errors = {} }: Content): string {
  return Object.values(errors).flat().join(' ') || message;
}
