import { type BegunUpload, LARGE, sendInParts, type Transfer } from '../send-in-parts.ts';
import { transferMs } from '../transfer-ms.ts';
import {
  type KeptFile,
  readFile,
  readWaiting,
  removeFiles,
  removeWaiting,
  type Waiting,
  writeFile,
  writeWaiting,
} from './waiting.ts';

/** What became of the waiting forms. */
interface Delivery {
  sent: Waiting[];
  /** Some go on waiting: there is no connection, the service is busy, the form is closed, or a file cannot be read or passed on. */
  isUnfinished: boolean;
}

/** The service's reason for refusing a file. */
export class Refusal extends Error {}

const LOCK = 'formstead-offline';
/** Status codes that say nothing about the answers: the form is closed, full or gone, or there are too many requests. */
const LATER = [403, 404, 408, 423, 429];
/** Times in a row that a large file is tried, before it waits on with its form. */
const ATTEMPTS = 3;

/**
 * Sends the waiting submissions of one form, or of all forms; a lock keeps pages and the worker from doing it at once. Refused
 * ones are not sent again.
 */
export function sendWaiting(uuid: string | null): Promise<Delivery> {
  return navigator.locks.request(LOCK, async () => {
    const sent: Waiting[] = [];
    /** Forms that accept nothing at the moment. */
    const shut = new Set<string>();
    let isStuck = false;
    for (const waiting of await readWaiting(uuid)) {
      if (waiting.payAt !== undefined || waiting.refusal !== undefined || shut.has(waiting.uuid)) continue;
      // A read error may pass, and the service has refused nothing, so it waits on, and those behind it do not.
      const outcome = await sendOne(waiting).catch(() => 'stuck' as const);
      if (outcome === 'stuck') isStuck = true;
      if (outcome === 'later') shut.add(waiting.uuid);
      if (outcome === 'sent') sent.push(waiting);
    }
    return { sent, isUnfinished: isStuck || shut.size > 0 };
  });
}

/**
 * Uploads a kept file, unless that was done before.
 * @returns its reference; null if it has to wait longer; `name` itself if no file is kept under it
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
  const answer = await sendKept(kept, { path: pathOf(uuid), field, language }, (upload) =>
    writeFile(name, { ...kept, upload }),
  );
  if (!answer) return null;
  const { reference } = answer.content;
  if (reference === undefined) throw new Refusal(problemIn(answer.content));
  // The upload has succeeded; if the device cannot note that, it may be repeated.
  await writeFile(name, { ...kept, reference }).catch(() => {});
  return reference;
}

/** @returns null as `post` does */
async function sendKept(
  { file, upload: begun }: KeptFile,
  place: Pick<Transfer, 'path' | 'field' | 'language'>,
  note: (upload: BegunUpload) => Promise<void>,
): Promise<{ content: Content } | null> {
  // A request with a file that the device cannot read any more would fail like one without a network.
  await file.slice(0, 1).arrayBuffer();
  if (file.size > LARGE) {
    const onBegun = (upload: BegunUpload) => note(upload).catch(() => {});
    const content = await sendInParts({ file, ...place, attempts: ATTEMPTS, begun, onBegun });
    // Neither a reference nor a problem: the response is not the service's, or says only how much has arrived.
    const isWordless = content.reference === undefined && problemIn(content) === '';
    return isWordless || isForLater(content.status) ? null : { content };
  }
  const body = new FormData();
  body.append('file', file);
  const query = new URLSearchParams({ field: place.field, lang: place.language });
  return post(`${place.path}/files?${query}`, body, file.size);
}

/** What became of one: `to pay` counts only once it is paid. */
type Outcome = 'sent' | 'to pay' | 'refused' | 'later' | 'stuck';

async function sendOne(waiting: Waiting, isAgain = false): Promise<Outcome> {
  const refuse = async (refusal: string) => {
    await writeWaiting({ ...waiting, refusal });
    return 'refused' as const;
  };
  const body = new URLSearchParams();
  try {
    for (const [name, value] of waiting.entries) {
      const sent = await uploadKept(waiting, name, value);
      // Says nothing about the form: others go without this file.
      if (sent === null) return 'stuck';
      body.append(name, sent);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse(error.message);
  }
  const answer = await post(`${pathOf(waiting.uuid)}?${waiting.query}`, body);
  if (!answer) return 'later';
  if (answer.isTaken) {
    const payAt = payPageIn(answer.content);
    await (payAt === null ? removeWaiting(waiting) : keepPayment(waiting, payAt));
    return payAt === null ? 'sent' : 'to pay';
  }
  const { errors = {} } = answer.content;
  const query = new URLSearchParams(waiting.query);
  if (errors.submission_hash && query.has('submission_hash')) {
    // The partial submission is gone: these answers begin a new submission.
    query.delete('submission_hash');
    return sendOne({ ...waiting, query: `${query}` }, isAgain);
  }
  // The form has begun to ask for a captcha.
  if (errors.captcha) return 'later';
  // Uploads that waited too long are gone. They are renewed only after a refusal, because new references make other answers.
  if (!isAgain && (await forgetUploads(waiting))) return sendOne(waiting, true);
  return refuse(problemIn(answer.content));
}

function payPageIn({ next = '' }: Content): string | null {
  const { origin, pathname } = new URL(next, location.href);
  return origin === location.origin && pathname.endsWith('/pay') ? next : null;
}

/** Keeps the address alone: the answers are stored by the service. */
async function keepPayment(waiting: Waiting, payAt: string): Promise<void> {
  await writeWaiting({ ...waiting, entries: [], payAt });
  await removeFiles(waiting.entries.map(([, value]) => value));
}

/** Forgets those that are paid by now, or can be paid no more: their address leads on, or to nothing. */
export async function forgetPaid(uuid: string): Promise<void> {
  for (const waiting of await readWaiting(uuid)) {
    if (waiting.payAt === undefined) continue;
    const answer = await fetch(waiting.payAt, { headers: { accept: 'text/html' }, redirect: 'manual' });
    if (answer.type === 'opaqueredirect' || answer.status === 404) await removeWaiting(waiting);
  }
}

/** By its id, because the form's slug may have changed. */
function pathOf(uuid: string): string {
  return `/forms/${uuid}`;
}

/** @returns whether any upload was known */
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
  /** Of the accepted form. */
  submission_id?: string;
  /** Where its sender goes next. */
  next?: string;
  message?: string;
  errors?: Record<string, string[]>;
  reference?: string;
}

/**
 * @returns null if nobody answered, or the service accepts nothing now
 * @throws SyntaxError when the answer is not the service's: a proxy may refuse a large file
 */
async function post(
  address: string,
  body: FormData | URLSearchParams,
  size = 0,
): Promise<{ isTaken: boolean; content: Content } | null> {
  const signal = AbortSignal.timeout(transferMs(size));
  const headers = { accept: 'application/json' };
  const answer = await fetch(address, { method: 'POST', body, signal, headers }).catch(() => null);
  if (!answer || isForLater(answer.status)) return null;
  const content: Content = await answer.json();
  // A success that names neither is not the service's, but perhaps a proxy's.
  const isTaken = content.submission_id !== undefined;
  return answer.ok && !isTaken && content.reference === undefined ? null : { isTaken, content };
}

function isForLater(status: number): boolean {
  return status === 0 || status >= 500 || LATER.includes(status);
}

function problemIn({ message = '', errors = {} }: Content): string {
  return Object.values(errors).flat().join(' ') || message;
}
