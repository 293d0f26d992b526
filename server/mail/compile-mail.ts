import { fieldTypeOf } from '../../fields/field-types.ts';
import { type Html, html, trusted } from '../../fields/html/html.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import { type Answers, ownMember, type Property } from '../../fields/property.ts';
import { fillMentions } from '../../fields/texts/mentions.ts';
import { plainText } from '../../fields/texts/plain-text.ts';
import { isEmailAddress } from '../../fields/types/email.ts';
import {
  type DeliveredForm,
  editLinkStart,
  type PayloadSubmission,
  responseLinkStart,
  type WritePayload,
} from '../deliveries/payload.ts';
import { createFileLinks, type LinkSource } from '../files/file-links.ts';
import { compileAmountPaid } from '../payments/amount-paid.ts';
import { compileShown } from '../submissions/shown-properties.ts';
import { type AnswerLine, answerLines } from './answer-lines.ts';
import type { MailKind, MailSettings } from './mail-kinds.ts';
import { mailPage } from './mail-page.ts';
import { mentionedAnswers, oneLine } from './mentioned-answers.ts';

/** A mail as stored in the outbox, as JSON. */
export interface FrozenMail {
  /** Set only for a confirmation; other mails go to the recipients set when they are sent. */
  to?: string;
  reply_to?: string;
  subject: string;
  text: string;
  html: string;
  submission_id: number;
  /** Of a notification; the number of the submission has to be appended to the address. */
  response_link?: { words: string; start: string };
}

interface CompiledMail {
  /** Whether the mail has a recipient. */
  hasRecipient(answers: Answers): boolean;
  /** Writes the mail about a submission with a recipient. */
  writePayload: WritePayload;
}

/** Characters (code points). */
const MAX_SUBJECT = 255;
const ENDS_A_SENTENCE = /[?!.:;…？！。：；؟।]\s*$/u;

/** Prepares the mails of one integration: everything equal for all submissions is looked up once. */
export function compileMail(
  form: DeliveredForm,
  kind: MailKind,
  settings: MailSettings,
  links: LinkSource,
): CompiledMail {
  const isConfirmation = kind === 'email_confirmation';
  const byId = new Map(form.properties.map((property) => [property.id, property]));
  const mentioned = mentionedAnswers(form);
  const withAmountPaid = compileAmountPaid(form);
  const shownFor = compileChoice(form, isConfirmation, settings);
  // The link lets anybody change the answers, so only the respondent gets it.
  const hasEditLink = isConfirmation && form.editable && settings.edit_link === true;
  const { page: texts } = languageFor(form.language);
  const response = { words: texts.openResponse, start: responseLinkStart(links, form) };

  function writePayload(submission: Pick<PayloadSubmission, 'publicId' | 'answers' | 'payment'>) {
    const { publicId, answers } = submission;
    const said = withAmountPaid(submission);
    const answer = mentioned(said);
    const fileLinks = () => createFileLinks(links, form.id, form.fileLinkSeconds);
    const lines = answerLines(shownFor(answers), said, form.language, isConfirmation ? null : fileLinks);
    const subject = oneLine(
      fillMentions(settings.subject ?? '', answer, (text) => text),
      MAX_SUBJECT,
    );
    const text = isConfirmation ? fillMentions(settings.text ?? '', answer, escaped) : '';
    const to = isConfirmation ? addressIn(byId, answers, settings.recipient_field) : null;
    const replyTo = isConfirmation
      ? (settings.reply_to ?? null)
      : addressIn(byId, answers, settings.reply_to_field);
    const edit = hasEditLink ? editLinkStart(links, form) + publicId : null;
    const mail: Omit<FrozenMail, 'submission_id'> = {
      ...(to !== null && { to }),
      ...(replyTo !== null && { reply_to: replyTo }),
      subject: subject || oneLine(form.title, MAX_SUBJECT),
      text: plainPart(form, plainText(text), lines, edit),
      html: htmlPart(form, text, lines, edit).markup,
      ...(!isConfirmation && { response_link: response }),
    };
    return { head: `${JSON.stringify(mail).slice(0, -1)},"submission_id":`, tail: '}' };
  }

  return {
    hasRecipient: (answers) => !isConfirmation || addressIn(byId, answers, settings.recipient_field) !== null,
    writePayload,
  };
}

/** Chooses the fields to show. Respondents see only what the page showed them, and fields chosen by the owner. */
function compileChoice(
  form: DeliveredForm,
  isConfirmation: boolean,
  { fields, include_answers: isCopy }: MailSettings,
): (answers: Answers) => readonly Property[] {
  const { properties, variables } = form;
  if (isConfirmation && isCopy !== true) return () => [];
  if (fields !== undefined) {
    const chosen = properties.filter(({ id }) => fields.includes(id));
    return () => chosen;
  }
  if (!isConfirmation) return () => properties;
  return compileShown(properties, variables);
}

/** The answer to an e-mail field, checked again: it was checked by the rules at the time of sending. */
function addressIn(
  byId: ReadonlyMap<string, Property>,
  answers: Answers,
  fieldId: string | undefined,
): string | null {
  const property = fieldId === undefined ? undefined : byId.get(fieldId);
  if (property === undefined || fieldTypeOf(property.type).name !== 'email') return null;
  const answer = ownMember(answers, property.id);
  return typeof answer === 'string' && isEmailAddress(answer) ? answer : null;
}

function escaped(text: string): string {
  return html`${text}`.markup;
}

function plainPart(
  { title, language }: DeliveredForm,
  text: string,
  lines: readonly AnswerLine[],
  editLink: string | null,
): string {
  const { page: texts } = languageFor(language);
  const answers = lines.map(({ name, text: answer }) =>
    answer.includes('\n') ? `${heading(name)}\n${answer}` : `${heading(name)} ${answer}`,
  );
  const edit = editLink === null ? [] : [`${texts.editAnswers}: ${editLink}`];
  return [title, ...(text === '' ? [] : [text]), ...answers, ...edit].join('\n\n');
}

/** `Name:`; a name that ends a sentence, such as a question, gets no colon. */
function heading(name: string): string {
  return ENDS_A_SENTENCE.test(name) ? name : `${name}:`;
}

function htmlPart(
  form: DeliveredForm,
  text: string,
  lines: readonly AnswerLine[],
  editLink: string | null,
): Html {
  const { page: texts } = languageFor(form.language);
  return mailPage(
    form,
    html`<h1 style="font-size:20px;margin:0 0 16px" dir="auto">${form.title}</h1>
${text !== '' && html`<div>${trusted(text)}</div>`}
${lines.map(answerHtml)}
${editLink !== null && html`<p style="margin:16px 0 0"><a href="${editLink}">${texts.editAnswers}</a></p>`}`,
  );
}

function answerHtml({ name, text }: AnswerLine): Html {
  const rows = text.split('\n').map((row, index) => html`${index > 0 && trusted('<br>')}${row}`);
  return html`<p style="margin:0 0 12px" dir="auto"><strong>${name}</strong><br>${rows}</p>
`;
}
