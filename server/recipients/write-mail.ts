import { createHash } from 'node:crypto';
import { type Html, html, trusted } from '../../fields/html/html.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import type { Context } from '../context.ts';
import { mailPage } from '../mail/mail-page.ts';
import type { Mail } from '../mail/mailer.ts';
import { oneLine } from '../mail/mentioned-answers.ts';
import type { DueMail, MailedForm } from './mail-queries.ts';
import { personalLink, stopMailsLink } from './personal-link.ts';
import type { MailText } from './settings-queries.ts';

/** Placeholders for facts about the recipient. */
const MAIL_PLACES = ['{name}', '{link}'] as const;

/** Characters (code points) of a subject, including the name. */
const MAX_SUBJECT = 255;
const PLACES = /\{(?:name|link)\}/g;
const LINE_END = /\r\n?/g;

/**
 * A mail to one recipient: the owner's text with the link, appended when the text does not name it, and a way to decline
 * further mails. `{name}` is the address when there is no name.
 */
export function writeMail(
  context: Pick<Context, 'baseUrl' | 'config'>,
  form: MailedForm,
  { subject, text, reply_to: replyTo }: MailText,
  { id, code, name, email, sent }: DueMail,
): Mail {
  const { page: texts } = languageFor(form.language);
  const link = personalLink(context, form, code);
  const stop = stopMailsLink(context, form, code);
  const said = { '{name}': name ?? email, '{link}': link };
  const lines = text.replace(LINE_END, '\n');
  const whole = lines.includes('{link}') ? lines : `${lines}\n\n{link}`;
  const plain = fill(whole, said);
  return {
    to: email,
    subject: oneLine(fill(subject, said), MAX_SUBJECT) || form.title,
    text: `${plain}\n\n-- \n${texts.stopMails}: ${stop}\n`,
    html: mailPage(
      form,
      html`${paragraphs(whole, said)}
<p style="margin:24px 0 0;font-size:13px;opacity:.75"><a href="${stop}" style="color:inherit">${texts.stopMails}</a></p>`,
    ).markup,
    ...(replyTo && { replyTo }),
    id: `recipient-${id}-${markOf(code)}-${sent + 1}`,
    isAutomatic: 'generated',
    unsubscribe: stop,
  };
}

/** Tells the mails with one link from those with another, without revealing it. */
function markOf(code: string): string {
  return createHash('sha256').update(code).digest('hex').slice(0, 8);
}

type Said = Record<(typeof MAIL_PLACES)[number], string>;

/** In one pass, so that a placeholder inside a name is not replaced. */
function fill(text: string, said: Said): string {
  return text.replace(PLACES, (place) => said[place as keyof Said]);
}

function paragraphs(text: string, said: Said): Html[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      const lines = paragraph.split('\n').map((line) => inLine(line, said));
      return html`<p style="margin:0 0 16px" dir="auto">${lines.map((line, index) => html`${index > 0 && trusted('<br>')}${line}`)}</p>`;
    });
}

function inLine(line: string, said: Said): Html {
  const parts = line.split(/(\{name\}|\{link\})/);
  return html`${parts.map((part) =>
    part === '{link}'
      ? html`<a href="${said['{link}']}">${said['{link}']}</a>`
      : part === '{name}'
        ? said['{name}']
        : part,
  )}`;
}
