import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Html, html } from '../../../fields/html/html.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import type { Context } from '../../context.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import type { PageSigns } from '../../submissions/set-aside/suspect.ts';
import { takesWaiting } from '../page/offline.ts';
import type { PageQuery, Visit } from '../visit/visit.ts';
import type { PostedForm } from './receive-answers.ts';

/** Name of the trap. No browser or password manager knows anything to fill in under it. */
const TRAP = 'topic';
/** A visit's id has 16 bytes: half of them are random, half prove when it began. */
const RANDOM_BYTES = 8;

/**
 * The trap of a form that sets spam aside: an input that nobody can see, reach, hear of or have filled in, but programs that fill in
 * whatever a page has. Where a browser shows no styles, its label says what to do.
 */
export function trapOf(form: PublishedForm): Html | null {
  if (!form.setsSpamAside || !hasTrap(form)) return null;
  const { page: texts } = languageFor(form.presentation.language);
  return html`<div class="sr" aria-hidden="true" inert><label>${texts.leaveEmpty} <input name="${TRAP}" tabindex="-1" autocomplete="off" data-1p-ignore data-bwignore data-lpignore="true"></label></div>
`;
}

/** Names of inputs begin with their field's id. */
function hasTrap({ properties }: PublishedForm): boolean {
  return !properties.some(({ id }) => id.startsWith(TRAP));
}

/**
 * The visit with an id that proves when it began, where the form sets spam aside; the visit itself once it has an address. Nothing is
 * added to the page for it.
 */
export function provenVisit(context: Context, form: PublishedForm, visit: Visit, query: PageQuery): Visit {
  if (!form.setsSpamAside || query.has('visit')) return visit;
  const startedAt = Math.floor(Date.now() / 1000);
  const random = randomBytes(RANDOM_BYTES);
  const id = Buffer.concat([random, proofOf(context, form, random, startedAt)]).toString('base64url');
  return { ...visit, id, startedAt };
}

/** What a posted page of ours tells about how it was filled in. */
export function signsOf(context: Context, { form, visit, posted }: PostedForm): PageSigns {
  return {
    hasFilledTrap: hasTrap(form) && posted.getAll(TRAP).some((value) => value !== ''),
    madeAt: isProven(context, form, visit) ? visit.startedAt : null,
    hasWaited: visit.took !== null && takesWaiting(form),
  };
}

/** Not where the page is older than the setting or the present key, and where somebody wrote the address by hand. */
function isProven(context: Context, form: PublishedForm, { id, startedAt }: Visit): boolean {
  const bytes = Buffer.from(id, 'base64url');
  const [random, proof] = [bytes.subarray(0, RANDOM_BYTES), bytes.subarray(RANDOM_BYTES)];
  return timingSafeEqual(proof, proofOf(context, form, random, startedAt));
}

function proofOf({ secrets }: Context, form: PublishedForm, random: Buffer, startedAt: number): Buffer {
  const text = `${form.id} ${random.toString('hex')} ${startedAt}`;
  return Buffer.from(secrets.sign(text, 'visit-beginning'), 'hex').subarray(0, RANDOM_BYTES);
}
