import type { FastifyReply } from 'fastify';
import type { Context } from '../context.ts';
import { acceptsEncoding } from '../http/accepts-encoding.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { renderPage } from './layout.ts';
import { compileTemplate, type PageTemplate } from './page-template.ts';
import { newNonce } from './policy.ts';
import { formContent, pageHeaders } from './send-page.ts';
import { openForm } from './show-form.ts';
import { newVisit } from './visit.ts';

/** What stands for this visitor's nonce and visit in the page of all. */
const NONCE_PLACE = newNonce();
const VISIT_PLACE = newVisit(new Date());
/** As the id and the time of a visit follow each other in addresses; see `visitPath`. */
const visitText = (id: string, startedAt: number) => `visit=${id}&amp;at=${startedAt}`;
const PLACES = [NONCE_PLACE, visitText(VISIT_PLACE.id, VISIT_PLACE.startedAt)];

/** One page per form and revision, as long as the day lasts: dates may be filled in or limited by today. */
const templates = new WeakMap<PublishedForm, { day: string; template: PageTemplate }>();

/** Whether all visitors who bring nothing but the form's address are shown the same. */
export function hasCommonFirstPage(form: PublishedForm): boolean {
  return form.passwordHash === null && !form.useCaptcha;
}

/** The page of a form as everybody first finds it: made and compressed once, then only copied. */
export async function sendFirstPage(
  context: Context,
  reply: FastifyReply,
  form: PublishedForm,
): Promise<FastifyReply> {
  const now = new Date();
  const template = await templateOf(context, form, now.toISOString().slice(0, 10));
  const nonce = newNonce();
  const { id, startedAt } = newVisit(now);
  const values = [nonce, visitText(id, startedAt)];
  pageHeaders(reply, form, nonce, null);
  return acceptsEncoding(reply.request, 'gzip')
    ? reply.header('content-encoding', 'gzip').send(template.gzip(values))
    : reply.send(template.plain(values));
}

async function templateOf(context: Context, form: PublishedForm, day: string): Promise<PageTemplate> {
  const known = templates.get(form);
  if (known?.day === day) return known.template;
  const page = await openForm(context, form, VISIT_PLACE, new URLSearchParams());
  const text = renderPage({ ...formContent(page), baseUrl: context.baseUrl(), nonce: NONCE_PLACE });
  const template = compileTemplate(text, PLACES);
  templates.set(form, { day, template });
  return template;
}
