import { type Html, html } from '../../fields/html/html.ts';
import { isRightToLeft } from '../../fields/languages/languages.ts';

/**
 * The HTML part of a mail. Styles are in attributes, as mail programs require; without colours, so that it is readable in dark ones
 * too. Long words wrap.
 */
export function mailPage({ title, language }: { title: string; language: string }, content: Html): Html {
  const direction = isRightToLeft(language) ? 'rtl' : 'ltr';
  return html`<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="margin:0;padding:24px;font-family:sans-serif;font-size:16px;line-height:1.5;word-wrap:break-word;overflow-wrap:anywhere">
${content}
</body></html>`;
}
