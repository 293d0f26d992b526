import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageTexts } from '../../fields/languages/language.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import type { Context } from '../context.ts';
import type { HttpError } from '../http/errors.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { failurePage, notFoundPage } from './page/message-pages.ts';
import { inVisitorsLanguage } from './page/page-language.ts';
import { sendMessage } from './page/send-page.ts';

/** Makes the page shown when a form's page fails: in the form's language and look, if the form is known. */
export function createFailurePage(context: Context) {
  return async (known: HttpError, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.code(known.statusCode).headers(known.headers);
    const found = await findForm(context, (request.params as { form?: string }).form);
    const form = found && inVisitorsLanguage(found, request);
    if (known.statusCode === 404 && form === null) return sendMessage(context, reply, null, notFoundPage());
    const { page: texts } = languageFor(form?.presentation.language ?? 'en');
    return sendMessage(context, reply, form, failurePage(form, textOf(known, texts)));
  };
}

/** Without a database the page has no theme. */
async function findForm(context: Context, ref: string | undefined): Promise<PublishedForm | null> {
  if (ref === undefined) return null;
  return context.publishedForms.find(ref).catch(() => null);
}

function textOf({ statusCode, message }: HttpError, texts: PageTexts): string {
  if (statusCode === 404) return texts.notFoundText;
  if (statusCode === 429) return texts.tooMany;
  return statusCode >= 500 ? texts.failedText : message;
}
