import { isJsonObject, type JsonValue, type Property } from '../property.ts';
import { fillIn } from '../texts/template.ts';
import type { BlockContext } from './block.ts';
import { type Html, html, trusted } from './html.ts';
import { safeUrl } from './safe-url.ts';

/** Files that browsers can play. */
const PLAYABLE = /\.(?:mp4|m4v|webm|ogv|mov|mp3|m4a|ogg|oga|opus|wav|flac|aac)(?:[?#]|$)/i;

/** A block that asks nothing; null for one that shows nothing, such as a page break. */
export function layoutBlock(property: Property, typeName: string, context: BlockContext): Html | null {
  switch (typeName) {
    case 'nf-text':
      return text(property, context);
    case 'nf-divider':
      return html`<hr>`;
    case 'nf-image':
      return image(property, context);
    case 'nf-video':
      return media(property, 'video', context);
    case 'nf-audio':
      return media(property, 'audio', context);
    case 'nf-code':
      return code(property, context);
    default:
      return null;
  }
}

function text({ content }: Property, { richText }: BlockContext): Html | null {
  return typeof content === 'string' ? html`<div class="rich">${trusted(richText(content))}</div>` : null;
}

function image(property: Property, { texts }: BlockContext): Html | null {
  const url = urlOf(property.image_block);
  if (url === null) return null;
  const block = isJsonObject(property.image_block) ? property.image_block : {};
  const alt = firstText(block.alt, property.alt) ?? '';
  const picture = html`<img class="wide" src="${url}" alt="${alt}" loading="lazy" decoding="async">`;
  const link = safeUrl(block.link) ?? safeUrl(block.href) ?? safeUrl(property.link);
  if (link === null) return picture;
  return html`<a href="${link}" target="_blank" rel="noopener noreferrer nofollow">${picture}<span class="sr">${alt === '' && property.name} ${texts.newTab}</span></a>`;
}

/** Files play on the page. Players of other sites are a link until the visitor loads them. */
function media(property: Property, tag: 'video' | 'audio', { texts, language }: BlockContext): Html | null {
  const url = urlOf(property[`${tag}_block`]);
  if (url === null) return null;
  const label = property.name;
  if (url.startsWith('/') || PLAYABLE.test(url)) {
    return tag === 'video'
      ? html`<video class="wide" src="${url}" controls preload="none" playsinline aria-label="${label}"></video>`
      : html`<audio class="wide" src="${url}" controls preload="none" aria-label="${label}"></audio>`;
  }
  const host = hostOf(url);
  const play = fillIn(tag === 'video' ? texts.playVideo : texts.playAudio, { host }, language);
  return html`<p class="media"><a href="${url}" target="_blank" rel="noopener noreferrer nofollow" data-embed="${tag}">${label}<span class="play">${play}</span><span class="sr"> ${texts.newTab}</span></a><span class="hint">${fillIn(texts.mediaHint, { host }, language)}</span></p>`;
}

/** The author's scripts run in an origin of their own that cannot reach this page. */
function code({ name }: Property, { codeUrl }: BlockContext): Html | null {
  if (codeUrl === null) return null;
  return html`<iframe class="wide" src="${codeUrl}" title="${name}" sandbox="allow-scripts" loading="lazy" data-code></iframe>`;
}

/** An address given as a text, or as `{url}`, `{src}`, `{file}` or `{link}`. */
function urlOf(block: JsonValue | undefined): string | null {
  if (!isJsonObject(block)) return safeUrl(block);
  return safeUrl(block.url) ?? safeUrl(block.src) ?? safeUrl(block.file) ?? safeUrl(block.link);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function firstText(...values: (JsonValue | undefined)[]): string | null {
  return values.find((value) => typeof value === 'string' && value !== '') as string | null;
}
