import { isPicturePath } from '../../../fields/block-options/picture-path.ts';
import { type Html, html, trusted } from '../../../fields/html/html.ts';
import type { PageTexts } from '../../../fields/languages/language.ts';
import { isRightToLeft, languageFor } from '../../../fields/languages/languages.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { scriptPath, styleText } from './assets.ts';
import { directionOf, themeClasses, themeStyle } from './theme.ts';

/** Tells the sheet `middle`, before anything is seen, that the page is inside another one. */
export const MARK_FRAMED = "if(parent!=self)document.documentElement.className+=' framed'";

/** A page about one form, or about none. */
export interface PageContent {
  form: PublishedForm | null;
  /** Of a page about no form; English by default. */
  language?: string;
  /** Public address of the service, without a trailing slash. */
  baseUrl: string;
  /** Public address of the form. */
  formUrl: string | null;
  /** Allows this page's own scripts and styles; new for every response. */
  nonce: string;
  /** Stands before the form's title in `<title>`, such as "Error:". */
  titlePrefix?: string;
  /** Path of the page, after the address of the form. */
  path?: string;
  /** Replaces the form's title where that must not be shown. */
  title?: string;
  /** Names of style sheets in addition to the base. */
  styles?: readonly string[];
  /** Rules made for this page. */
  css?: string;
  /** Name of the script's entry and the JSON it reads from the page, or null for a page without script. */
  script?: { name: string; data: unknown } | null;
  /** Whether search engines may list it. */
  isIndexable?: boolean;
  main: Html;
}

/** The members of `seo_meta`. */
interface SearchTexts {
  page_title?: unknown;
  page_description?: unknown;
  page_thumbnail?: unknown;
  page_favicon?: unknown;
  site_name?: unknown;
}

/** A whole HTML document with everything its first paint needs. */
export function renderPage(page: PageContent): string {
  const { form, language = 'en', nonce, main, css = '', styles = [], script = null } = page;
  const { page: texts, code } = languageFor(form?.presentation.language ?? language);
  const { logo_picture: logo = null, cover_picture: cover = null } = form?.presentation ?? {};
  const above = logo === null && cover === null ? [] : ['pictures-above'];
  const sheets = ['base', ...above, ...styles].map(styleText).join('');
  const theme = (form ? themeStyle(form) : '') + css;
  return html`<!doctype html>
<html lang="${code}" dir="${form ? directionOf(form) : isRightToLeft(code) ? 'rtl' : 'ltr'}" class="${form ? themeClasses(form) : 'theme-default auto'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${styles.includes('middle') && html`<script nonce="${nonce}">${trusted(MARK_FRAMED)}</script>`}
${head(page, texts)}
<style nonce="${nonce}">${trusted(sheets + theme + (form?.presentation.custom_css ?? ''))}</style>
${script && html`<script type="module" nonce="${nonce}" src="${scriptPath(script.name)}"></script>`}
</head>
<body>
${cover !== null && html`<img class="cover" src="${cover}" alt="">`}
<main class="form">
${main}
</main>
${footer(form, texts)}
${script && html`<script type="application/json" id="form-data">${jsonInHtml(script.data)}</script>`}
</body>
</html>
`.markup;
}

function head(
  { form, baseUrl, formUrl, title, titlePrefix, path = '', isIndexable = false }: PageContent,
  texts: PageTexts,
): Html {
  const meta = (form?.presentation.seo_meta ?? {}) as SearchTexts;
  // A page with its own title may be the one that asks for the form's password.
  const told = title === undefined ? form?.presentation.description : null;
  const description = textOr(meta.page_description, told ?? '');
  const shown = textOr(meta.page_title, title ?? form?.title ?? texts.notFoundTitle);
  const image = pictureAddress(meta.page_thumbnail, baseUrl);
  const icon = pictureAddress(meta.page_favicon, baseUrl);
  const address = formUrl && `${formUrl}${path}`;
  const [own, ...others] = form?.languages ?? [];
  const language = form?.presentation.language ?? own;
  const inLanguage = (code = own) => `${address}${code === own ? '' : `?lang=${code}`}`;
  const alternates = others.length > 0 ? [own, ...others] : [];
  // A page without `og:type` counts as a website (ogp.me).
  return html`<title>${titlePrefix ? `${titlePrefix} ` : ''}${shown}</title>
${description !== '' && html`<meta name="description" content="${description}">`}
${!isIndexable && html`<meta name="robots" content="noindex, nofollow">`}
<meta property="og:title" content="${shown}">
${description !== '' && html`<meta property="og:description" content="${description}">`}
${textOr(meta.site_name, '') !== '' && html`<meta property="og:site_name" content="${textOr(meta.site_name, '')}">`}
${image && html`<meta property="og:image" content="${image}"><meta name="twitter:card" content="summary_large_image">`}
${address && html`<meta property="og:url" content="${inLanguage(language)}"><link rel="canonical" href="${inLanguage(language)}">`}
${alternates.map((code) => html`<link rel="alternate" hreflang="${code}" href="${inLanguage(code)}">`)}
<link rel="icon" href="${icon ?? 'data:,'}">`;
}

function footer(form: PublishedForm | null, texts: PageTexts): Html | null {
  if (form?.presentation.no_branding) return null;
  return html`<footer><p>${texts.madeWith}</p></footer>`;
}

/** Without `<`, JSON cannot end its script element (HTML, restrictions for contents of script elements). */
function jsonInHtml(data: unknown): Html {
  return trusted(JSON.stringify(data).replaceAll('<', '\\u003c'));
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : fallback;
}

/** An address of a picture on the web or on this service; null for anything else. */
function pictureAddress(value: unknown, baseUrl: string): string | null {
  if (typeof value !== 'string') return null;
  if (isPicturePath(value)) return `${baseUrl}${value}`;
  return /^https?:\/\/\S+$/i.test(value) ? value : null;
}
