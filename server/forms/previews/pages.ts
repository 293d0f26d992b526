import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MEGABYTE } from '../../../fields/block-options/upload-rules.ts';
import { html } from '../../../fields/html/html.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { type HttpError, invalid, notFound } from '../../http/errors.ts';
import { asMultipartError, ONE_FILE } from '../../http/request/multipart.ts';
import { takeTime } from '../../http/request/slow-uploads.ts';
import { codeOf, sendCode } from '../../public-pages/page/code-page.ts';
import { failurePage, notFoundPage } from '../../public-pages/page/message-pages.ts';
import { inVisitorsLanguage } from '../../public-pages/page/page-language.ts';
import { sendForm, sendMessage } from '../../public-pages/page/send-page.ts';
import { installFormParsers } from '../../public-pages/posting/posted-body.ts';
import { redirectTarget, THANK_YOU_STYLES, thankYouPage } from '../../public-pages/posting/thank-you.ts';
import { openForm } from '../../public-pages/show-form.ts';
import { type PageQuery, queryOf, readVisit, type Visit } from '../../public-pages/visit/visit.ts';
import { NO_LIMITS } from '../../public-pages/visit/visited-form.ts';
import { captchaTaskOf } from '../../submissions/acceptance/captcha.ts';
import { findPreviewedForm, type PreviewedForm } from './find-previewed-form.ts';
import { PREVIEW_MARK, redirectMark } from './mark.ts';
import { dropFile, ENDING, postPreview, readCarried } from './post-preview.ts';

/** The length of the token keeps this apart from the addresses of a form with the slug `preview`. */
const PATH = '/forms/preview/:previewToken([\\w-]{43})';

/** The pages of preview links: those of public-pages/ with a mark, which store nothing. */
export function registerPreviewPages(app: App, context: Context): void {
  const config = {
    access: { kind: 'public' as const },
    failurePage: (known: HttpError, _request: FastifyRequest, reply: FastifyReply) => {
      const page = known.statusCode === 404 ? notFoundPage() : failurePage(null, known.message);
      return sendMessage(context, reply.code(known.statusCode).headers(known.headers), null, page);
    },
  };
  const shown = { config, schema: { hide: true }, onSend: keepInOwnFrames };

  async function find(request: FastifyRequest): Promise<PreviewedForm> {
    const found = await findPreviewedForm(context, (request.params as { previewToken: string }).previewToken);
    if (!found) throw notFound('Preview');
    return { ...found, form: inVisitorsLanguage(found.form, request) };
  }

  app.get(PATH, shown, async (request, reply) => {
    const { form, showsCode } = await find(request);
    const query = queryOf(request);
    const page = await openForm(context, { form, placesLeft: NO_LIMITS }, previewVisit(query), query);
    return sendForm(context, reply, {
      ...page,
      notice: PREVIEW_MARK,
      showsCode: page.showsCode && showsCode,
    });
  });

  app.get(`${PATH}/thank-you`, shown, async (request, reply) => {
    const { form } = await find(request);
    const query = queryOf(request);
    const answers = readCarried(query.get('answers'));
    const ending = form.presentation.endings.find(({ id }) => id === query.get(ENDING)) ?? null;
    const target = redirectTarget(form, answers, ending);
    const main = html`${PREVIEW_MARK}${target !== null && redirectMark(target)}${thankYouPage(form, { submissionId: randomUUID(), answers, ending })}`;
    return sendMessage(context, reply, form, { title: form.title, main, styles: THANK_YOU_STYLES });
  });

  app.get(`${PATH}/captcha`, shown, async (request) => captchaTaskOf(context, (await find(request)).form));

  for (const path of [`${PATH}/code`, `${PATH}/code/:block`]) {
    app.get(path, shown, async (request, reply) => {
      const { block = null } = request.params as { block?: string };
      const { form, showsCode } = await find(request);
      const code = context.config.customCode && showsCode ? codeOf(form, block) : null;
      if (code === null) throw notFound('Code');
      return sendCode(reply, code);
    });
  }

  app.register(async (scope) => {
    await installFormParsers(scope);
    scope.post(PATH, shown, async (request, reply) => {
      const query = queryOf(request);
      return postPreview(context, reply, await find(request), {
        query,
        visit: previewVisit(query),
      });
    });

    scope.post(`${PATH}/files`, shown, async (request, reply) => {
      const giveUp = takeTime(request);
      try {
        return reply.code(201).send(await receiveFile(request, await find(request)));
      } catch (error) {
        giveUp();
        throw asMultipartError(error);
      }
    });
  });

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, undefined));
    scope.post(`${PATH}/progress`, shown, async (request, reply) => {
      await find(request);
      return reply.code(204).send(null);
    });
  });
}

/** Answers as if the file was kept. */
async function receiveFile(request: FastifyRequest, { form }: PreviewedForm) {
  const limits = { ...ONE_FILE, fileSize: form.maxFileSize * MEGABYTE };
  const file = request.isMultipart() ? await request.file({ limits }) : undefined;
  if (!file) throw invalid({ file: ['The file field is required.'] });
  // The parser's types promise a name.
  const reference = await dropFile({ file: file.file, fileName: file.filename ?? '' });
  return { reference, file_name: file.filename ?? '', size: 0, content_type: file.mimetype };
}

/** Pages of forms may be shown in any frame, but previews only in the service's own. */
async function keepInOwnFrames(_request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const policy = reply.getHeader('content-security-policy');
  if (typeof policy === 'string')
    reply.header('content-security-policy', policy.replace('frame-ancestors *', "frame-ancestors 'self'"));
  return payload;
}

/** In a preview there is nothing to edit, to go on with, or to unlock. */
function previewVisit(query: PageQuery): Visit {
  return { ...readVisit(query, new Date()), submissionId: null, submissionHash: null, key: null };
}
