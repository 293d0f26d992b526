import { escaped } from './escaped.ts';

export type Mode = 'inline' | 'popup' | 'slider' | 'corner';

export interface EmbedOptions {
  mode: Mode;
  /** Accessible name of the frame. */
  title: string;
  /** Cues that open the form by itself, if it is not within the page's text; none if only its link does. */
  cues: string;
  /** Days until it opens by itself again, after it was closed and after it was sent: a number or `never`. */
  again: string;
  againSent: string;
  /** Percent of visitors for whom it opens by itself. */
  visitors: string;
  /** Text of the link that opens the form, also where it opens by itself; without text there is no link. */
  button: string;
  extraButton: string;
  /** Ids of fields that are filled in from the address of the surrounding page. */
  prefill: readonly string[];
  /** Device features that the frame needs: `camera`, `geolocation`. */
  allowed: readonly string[];
}

/** Default values, which are left out of the code. */
export const DEFAULTS = { again: '7', againSent: 'never', visitors: '100' };

/**
 * The code for another site. The link inside is visible until the script runs; for a form outside the page's text it is also the
 * link that opens it.
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
    ...(again === DEFAULTS.again ? [] : [`data-again="${again}"`]),
    ...(againSent === DEFAULTS.againSent ? [] : [`data-again-sent="${againSent}"`]),
    ...(visitors === DEFAULTS.visitors ? [] : [`data-visitors="${visitors}%"`]),
  ];
}
