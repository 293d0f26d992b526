import { randomBytes } from 'node:crypto';
import { readListenSettings } from '../config.ts';
import { readWebhookUrl } from '../deliveries/webhook-url.ts';
import { parseId, parseUuid } from '../http/schemas/ids.ts';
import { readMoment } from '../http/schemas/moments.ts';
import { secretProblem } from '../integrations/check-integration.ts';
import { EVENTS, type EventName, followSubmissions, type Since } from '../listen/follow-submissions.ts';
import { createForwarder, type Forwarded } from '../listen/forward.ts';
import { createRemoteForm } from '../listen/remote-form.ts';
import { type CommandIo, UsageError } from './command.ts';
import { awaitInterruption } from './interruption.ts';
import { oneLine } from './one-line.ts';
import { readOptions, required } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES.listen.usage;
const OPTIONS = {
  url: { type: 'string' },
  form: { type: 'string' },
  forward: { type: 'string' },
  token: { type: 'string' },
  secret: { type: 'string' },
  since: { type: 'string' },
  events: { type: 'string', default: 'created' },
  json: { type: 'boolean' },
} as const;
const MAX_URL_LENGTH = 2_048;
/** Length of the key of a generated secret. Standard Webhooks wants 24 to 64. */
const KEY_BYTES = 24;
/** Characters of a receiver's answer that are shown. */
const SHOWN_ANSWER = 200;

/** Prints one line per submission; ends by a signal. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const settings = readListenSettings();
  const url = serviceUrl(required(values.url, 'url', USAGE, MAX_URL_LENGTH));
  const form = required(values.form, 'form', USAGE);
  const receiver = receiverUrl(required(values.forward, 'forward', USAGE, MAX_URL_LENGTH));
  const token = accessToken(values.token ?? settings.token);
  const events = eventList(values.events);
  const since = sinceOf(values.since);
  const { secret, isNew } = signingSecret(values.secret ?? settings.secret);

  const interruption = awaitInterruption();
  const ended = new AbortController();
  const leaving = AbortSignal.any([interruption.signal, ended.signal]);
  const remote = createRemoteForm({ url, token, form, tell: io.err, leaving });
  const following = followSubmissions(remote, since, events, () => {
    io.err(`Listening to ${form} at ${url}; sending to ${receiver}. Ctrl-C ends.`);
    if (isNew) io.err(`Signing secret: ${secret}`);
  });
  const forward = createForwarder(url, receiver, secret);
  try {
    for await (const told of following.told) {
      const forwarded = await forward(told);
      io.out(values.json ? JSON.stringify(forwarded) : lineOf(forwarded));
    }
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    const next = following.nextId();
    io.err(next === null ? 'Ended.' : `Ended. To go on from here: --since ${next}`);
  } finally {
    interruption.end();
    ended.abort();
  }
  return 0;
}

/** @throws UsageError */
function serviceUrl(text: string): string {
  const url = URL.parse(text);
  const isOrigin = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!isOrigin)
    throw new UsageError('--url is the address of a Formstead, such as https://forms.example.com.');
  return url.origin;
}

/** @throws UsageError */
function receiverUrl(text: string): string {
  const read = readWebhookUrl(text);
  if ('problem' in read) throw new UsageError('--forward is an address such as http://localhost:4000/hook.');
  return read.url.href;
}

/** @throws UsageError */
function accessToken(given: string | null): string {
  if (given === null)
    throw new UsageError(`Give a token with --token or FORMSTEAD_TOKEN.\nUsage: formstead ${USAGE}`);
  // Nothing else fits into a header, and the error about it would show the token.
  if (!/^[\x21-\x7e]+$/.test(given)) throw new UsageError('--token is not a token.');
  return given;
}

/** @throws UsageError */
function eventList(text: string): Set<EventName> {
  const names = text.split(',').map((name) => name.trim());
  const events = EVENTS.filter((event) => names.includes(event));
  if (new Set(names).size !== events.length)
    throw new UsageError(`--events takes a list of ${EVENTS.join(',')}`);
  return new Set(events);
}

/** @throws UsageError */
function sinceOf(text: string | undefined): Since | null {
  if (text === undefined) return null;
  if (parseId(text) !== null || parseUuid(text) !== null) return { submission: text };
  const moment = readMoment(text);
  if (moment === null)
    throw new UsageError('--since takes the id of a submission, or a time such as 2026-11-20T08:00Z.');
  return { moment };
}

/** @throws UsageError */
function signingSecret(given: string | null): { secret: string; isNew: boolean } {
  if (given === null) return { secret: `whsec_${randomBytes(KEY_BYTES).toString('base64')}`, isNew: true };
  const problem = secretProblem(given);
  if (problem !== null) throw new UsageError(problem);
  return { secret: given, isNew: false };
}

function lineOf({ time, event, submission_id, status, failure, detail, duration_ms }: Forwarded): string {
  const what = event === 'created' ? submission_id : `${submission_id} ${event}`;
  const why = detail === null ? [] : [oneLine(detail.slice(0, SHOWN_ANSWER)).trim()];
  const answer = status ?? `not received: ${failure}`;
  return [time, what, answer, `${duration_ms} ms`, ...why].join('  ');
}
