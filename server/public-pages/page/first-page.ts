import type { FastifyReply } from 'fastify';
import { isOn } from '../../../fields/block-options/options.ts';
import { isShuffled } from '../../../fields/choices/shuffle.ts';
import { html } from '../../../fields/html/html.ts';
import { SizedCache } from '../../../fields/sized-cache.ts';
import type { Context } from '../../context.ts';
import { acceptsEncoding } from '../../http/request/accepts-encoding.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { openForm } from '../show-form.ts';
import { newVisit, type Visit, visitPath } from '../visit/visit.ts';
import type { VisitedForm } from '../visit/visited-form.ts';
import { renderPage } from './layout.ts';
import { compileTemplate, type PageTemplate } from './page-template.ts';
import { newNonce } from './policy.ts';
import { addressesFor, formContent, pageHeaders, sendForm } from './send-page.ts';

/** Placeholders for the visitor's nonce and visit in the common page. */
const NONCE_PLACE = newNonce();
const VISIT_PLACE = newVisit(new Date());
const PLACES = [NONCE_PLACE, visitText(VISIT_PLACE)];

/** Bytes of all cached templates. */
const MAX_KEPT = 64 * 1024 * 1024;
/**
 * One page per form, revision and language. It is kept for the day, because dates may be filled in or limited by today (for the
 * minute, where one is filled in with the time), and while the places left of its options stay the same.
 */
type Templates = SizedCache<string, { moment: string; places: string; template: PageTemplate | null }>;

/** Characters of a time as `toISOString` writes it: those of its day, and those up to its minute. */
const [DAY, MINUTE] = [10, 16];
const templatesByService = new WeakMap<Context, Templates>();

/** The query of a visit, as it stands in addresses of the page. */
function visitText(visit: Visit): string {
  return html`${visitPath('', visit)}`.markup;
}

/** Whether all visitors who begin without extra parameters see the same page. */
export function hasCommonFirstPage(form: PublishedForm): boolean {
  return form.passwordHash === null && !form.useCaptcha && !form.properties.some(isShuffled);
}

/**
 * Sends a form's page for a plain beginning, which is rendered and compressed once and then only copied; a page that says its own
 * address hundreds of times is made for each visitor.
 */
export async function sendFirstPage(
  context: Context,
  reply: FastifyReply,
  visited: VisitedForm,
  visit: Visit,
): Promise<FastifyReply> {
  const { form } = visited;
  const moment = new Date().toISOString().slice(0, tellsTime(form) ? MINUTE : DAY);
  const template = await templateOf(context, visited, moment);
  if (!template)
    return sendForm(context, reply, await openForm(context, visited, visit, new URLSearchParams()));
  const nonce = newNonce();
  const values = [nonce, visitText(visit)];
  pageHeaders(reply, form, { nonce });
  return acceptsEncoding(reply.request, 'gzip')
    ? reply.header('content-encoding', 'gzip').send(template.gzip(values))
    : reply.send(template.plain(values));
}

function tellsTime({ properties }: PublishedForm): boolean {
  return properties.some(({ prefill_today: isToday, with_time: hasTime }) => isOn(isToday) && isOn(hasTime));
}

async function templateOf(
  context: Context,
  visited: VisitedForm,
  moment: string,
): Promise<PageTemplate | null> {
  const { form, placesLeft } = visited;
  const templates = templatesOf(context);
  const key = `${form.uuid} ${form.revision} ${form.presentation.language}`;
  const known = templates.get(key);
  const places = JSON.stringify([...placesLeft].map(([field, options]) => [field, ...options]));
  if (known?.moment === moment && known.places === places) return known.template;
  const page = await openForm(context, visited, VISIT_PLACE, new URLSearchParams());
  const text = renderPage({ ...formContent(page), ...addressesFor(context, form), nonce: NONCE_PLACE });
  const template = compileTemplate(text, PLACES);
  templates.set(key, { moment, places, template }, key.length + places.length + (template?.size ?? 0));
  return template;
}

function templatesOf(context: Context): Templates {
  const templates = templatesByService.get(context) ?? new SizedCache(MAX_KEPT);
  templatesByService.set(context, templates);
  return templates;
}
