export type Mode = 'inline' | 'popup' | 'slider';

export interface EmbedOptions {
  mode: Mode;
  /** What screen readers call the frame. */
  title: string;
  /** Words of the link that opens a popup or slider. */
  button: string;
  /** Ids of fields that take their value from the address of the page around. */
  prefill: readonly string[];
  /** What of the device the form asks for, as frames are allowed it: `camera`, `geolocation`. */
  allowed: readonly string[];
}

/**
 * What a site puts where the form should be. The link inside is what visitors see until the script has run, and in a
 * popup or slider the words that open it.
 */
export function embedCode(
  link: string,
  script: string,
  { mode, title, button, prefill, allowed }: EmbedOptions,
): string {
  const attributes = [
    `data-formstead="${escaped(link)}"`,
    ...(mode === 'inline' ? [] : [`data-mode="${mode}"`]),
    `data-title="${escaped(title)}"`,
    ...(prefill.length > 0 ? [`data-prefill="${escaped(prefill.join(' '))}"`] : []),
    ...(allowed.length > 0 ? [`data-allow="${allowed.join('; ')}"`] : []),
  ];
  const words = escaped(mode === 'inline' ? title : button);
  return [
    `<div ${attributes.join('\n  ')}>`,
    `  <a href="${escaped(link)}">${words}</a>`,
    '</div>',
    `<script src="${escaped(script)}" async></script>`,
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
