import { html } from '../../fields/html/html.ts';
import type { FrozenMail } from './compile-mail.ts';

const END = '</body></html>';

/** Adds the link to the response, whose number a mail has only once it is stored. */
export function withResponseLink({ response_link: link, ...mail }: FrozenMail): FrozenMail {
  if (link === undefined) return mail;
  const address = link.start + mail.submission_id;
  const shown = html`<p style="margin:16px 0 0"><a href="${address}">${link.words}</a></p>\n`.markup;
  return {
    ...mail,
    text: `${mail.text}\n\n${link.words}: ${address}`,
    // Whatever people wrote is escaped, so only the end looks like this.
    html: mail.html.replace(END, () => shown + END),
  };
}
