export type Mode = 'inline' | 'popup' | 'slider' | 'corner';

export interface EmbedOptions {
  mode: Mode;
  /** What screen readers call the frame. */
  title: string;
  /** Cues by which it opens by itself, outside of the page's text; none where it opens by its link alone. */
  cues: string;
  /** Days after which it opens by itself again where it was closed, and where it was sent: a number or `never`. */
  again: string;
  againSent: string;
  /** Percent of the visitors for whom it opens by itself. */
  visitors: string;
  /** Words of the link that opens it, and of one that opens it as well where it opens by itself; without words there is none. */
  button: string;
  extraButton: string;
  /** Ids of fields that take their value from the address of the page around. */
  prefill: readonly string[];
  /** What of the device the form asks for, as frames are allowed it: `camera`, `geolocation`. */
  allowed: readonly string[];
}

/** What need not be said. */
export const UNSAID = { again: '7', againSent: 'never', visitors: '100' };

/**
 * What a site puts where the form should be. The link inside is what visitors see until the script has run, and outside
 * of the page's text the words that open it.
 */
export function embedCode(link: string, script: string, options: EmbedOptions): string {
  const { mode, title, prefill, allowed } = options;
  const attributes = [
    `data-formstead="${escaped(link)}"`,
    ...(mode === 'inline' ? [] : [`data-mode="${mode}"`]),
    `data-title="${escaped(title)}"`,
    ...(opensByItself(options) ? openingAttributes(options) : []),
    ...(prefill.length > 0 ? [`data-prefill="${escaped(prefill.join(' '))}"`] : []),
    ...(allowed.length > 0 ? [`data-allow="${allowed.join('; ')}"`] : []),
  ];
  const words = escaped(wordsOf(options));
  return [
    `<div ${attributes.join('\n  ')}>`,
    ...(words === '' ? [] : [`  <a href="${escaped(link)}">${words}</a>`]),
    '</div>',
    `<script src="${escaped(script)}" async></script>`,
    '',
  ].join('\n');
}

function wordsOf(options: EmbedOptions): string {
  if (options.mode === 'inline') return options.title;
  return opensByItself(options) ? options.extraButton : options.button;
}

export function opensByItself({ mode, cues }: EmbedOptions): boolean {
  return mode !== 'inline' && cues !== '';
}

function openingAttributes({ cues, again, againSent, visitors }: EmbedOptions): string[] {
  return [
    `data-open="${cues}"`,
    ...(again === UNSAID.again ? [] : [`data-again="${again}"`]),
    ...(againSent === UNSAID.againSent ? [] : [`data-again-sent="${againSent}"`]),
    ...(visitors === UNSAID.visitors ? [] : [`data-visitors="${visitors}%"`]),
  ];
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
