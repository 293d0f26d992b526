import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { styleNames } from '../../../fields/html/style-names.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import type { Context } from '../../context.ts';
import { formAddress } from '../../forms/address/form-address.ts';
import { acceptsEncoding } from '../../http/request/accepts-encoding.ts';
import { captchaProviderOf } from '../../submissions/acceptance/captcha.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { WORKS_OFFLINE } from '../browser/offline/addresses.ts';
import { type FormPage, renderForm } from './form-page.ts';
import { type PageContent, renderPage } from './layout.ts';
import type { MessagePage } from './message-pages.ts';
import { worksOffline } from './offline.ts';
import { contentPolicy, newNonce, type PolicyParts } from './policy.ts';
import { scriptData } from './script-data.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/**
 * Each page is made for one visitor: more effort would cost more time than the saved bytes. A window of 64 KiB (2 to the power of
 * 16) holds a whole page; it takes a fraction of the memory of the usual 4 MiB, and a third less time.
 */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 16 },
};
const GZIP = { level: 6 };

type Content = Omit<PageContent, 'baseUrl' | 'formUrl' | 'nonce'> &
  Pick<MessagePage, 'standsAlone' | 'leadsTo'>;

/** Sends a form's page. */
export async function sendForm(context: Context, reply: FastifyReply, page: FormPage): Promise<FastifyReply> {
  return send(context, reply, formContent(page));
}

export function formContent(page: FormPage): Content {
  const { form } = page;
  const { main, css, problems } = renderForm(page);
  const {
    theme,
    show_progress_bar: showsProgress,
    presentation_style: style,
    uppercase_labels: isUppercase,
  } = form.presentation;
  const { error } = languageFor(form.presentation.language).page;
  return {
    form,
    main,
    css,
    styles: [
      ...(style === 'focused' ? ['middle', 'focused'] : []),
      ...(isUppercase ? ['uppercase'] : []),
      ...(showsProgress ? ['progress'] : []),
      ...(main.markup.includes(' class="typed"') ? ['lines-on-paper'] : []),
      ...styleNames(form.properties, theme, form.languages.length),
    ],
    script: { name: 'form', data: scriptData(page, main) },
    isIndexable: form.presentation.can_be_indexed,
    ...(Object.keys(problems).length > 0 && { titlePrefix: `${error}:` }),
  };
}

/** Sends a page that replaces a form, in the form's look. */
export async function sendMessage(
  context: Context,
  reply: FastifyReply,
  form: PublishedForm | null,
  { status = reply.statusCode, styles: own = [], ...page }: MessagePage,
): Promise<FastifyReply> {
  reply.code(status);
  const styles = ['middle', ...own, ...(form ? styleNames([], form.presentation.theme) : [])];
  return send(context, reply, { script: null, ...page, form, styles });
}

/** Headers of every page at the address of a form. */
export function pageHeaders(reply: FastifyReply, form: PublishedForm | null, parts: PolicyParts): void {
  // Scripts of other sites may read the JSON of a form, but not the page with a visitor's answers.
  reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers');
  reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': contentPolicy(form, parts),
    vary: `accept, accept-encoding${form && form.languages.length > 1 ? ', accept-language' : ''}`,
    ...(form && { [WORKS_OFFLINE]: worksOffline(form) ? '?1' : '?0' }),
  });
}

async function send(context: Context, reply: FastifyReply, content: Content): Promise<FastifyReply> {
  const nonce = newNonce();
  const { form, standsAlone = false, leadsTo } = content;
  const captcha = form?.useCaptcha ? (captchaProviderOf(context, form)?.provider ?? null) : null;
  const body = renderPage({ ...content, ...addressesFor(context, form), nonce });
  pageHeaders(reply, form, { nonce, captcha, standsAlone, leadsTo });
  return compress(reply, body);
}

/** Addresses that a page uses for itself and for pictures. */
export function addressesFor(
  context: Context,
  form: PublishedForm | null,
): Pick<PageContent, 'baseUrl' | 'formUrl'> {
  return { baseUrl: context.baseUrl(), formUrl: form && formAddress(context, form) };
}

async function compress(reply: FastifyReply, body: string): Promise<FastifyReply> {
  if (acceptsEncoding(reply.request, 'br'))
    return reply.header('content-encoding', 'br').send(await compressBrotli(body, BROTLI));
  if (acceptsEncoding(reply.request, 'gzip'))
    return reply.header('content-encoding', 'gzip').send(await compressGzip(body, GZIP));
  return reply.send(body);
}
