import { isRightToLeft } from '../../fields/languages/languages.ts';
import { cut } from '../../fields/texts/cut.ts';
import { fillMentions } from '../../fields/texts/mentions.ts';
import { type DeliveredForm, responseLinkStart, type WritePayload } from '../deliveries/payload.ts';
import type { LinkSource } from '../files/file-links.ts';
import { type AnswerLine, answerLines } from '../mail/answer-lines.ts';
import { mentionedAnswers, oneLine } from '../mail/mentioned-answers.ts';
import { compileAmountPaid } from '../payments/amount-paid.ts';
import type { ChatFormat, ChatSettings } from './chat-settings.ts';
import { discord } from './discord.ts';
import { googleChat } from './google-chat.ts';
import { mattermost } from './mattermost.ts';
import { type ChatProduct, MAX_PIECES } from './product.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';

const PRODUCTS: Record<ChatFormat, ChatProduct> = {
  slack,
  discord,
  teams,
  google_chat: googleChat,
  mattermost,
  telegram,
};

/** Limit of the text above the answers, and of the name of a field, in characters (code points). */
const MAX_TEXT = 500;
const MAX_NAME = 200;
/** Replaces an empty name, which cannot be bold. */
const NAMELESS = '–';
const LINE_END = /\r\n?|[\u2028\u2029]/g;
/** Control characters, and marks that turn the direction of text beyond their end. */
const UNSEEN = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Prepares the writer of messages about submissions for a chat, as bodies of a webhook. */
export function compileChat(
  form: DeliveredForm,
  { format, message = '', include_answers: areShown = true }: ChatSettings,
  links: Pick<LinkSource, 'baseUrl'>,
): WritePayload {
  const product = PRODUCTS[format];
  const mentioned = mentionedAnswers(form);
  const withAmountPaid = compileAmountPaid(form);
  const newResponse = oneLine(`New response to “${form.title}”`, MAX_TEXT);
  const changedResponse = oneLine(`Changed response to “${form.title}”`, MAX_TEXT);
  const linkStart = responseLinkStart(links, form);
  return (submission) => {
    const { edit } = submission;
    const answers = withAmountPaid(submission);
    const words = oneLine(
      fillMentions(message, mentioned(answers), (text) => text),
      MAX_TEXT,
    );
    // Files are only named: a link would work for anybody in the chat. Members open the files from the response.
    const lines = areShown ? answerLines(form.properties, answers, form.language, null) : [];
    return product.write({
      text: edit
        ? oneLine([changedResponse, words].filter(Boolean).join(': '), MAX_TEXT)
        : words || newResponse,
      ...fitted(lines, product),
      linkStart,
      isRightToLeft: isRightToLeft(form.language),
    });
  };
}

/** As many answers as fit, in their order. */
function fitted(lines: readonly AnswerLine[], { maxAnswer, room, weigh, pieces }: ChatProduct) {
  const taken: string[] = [];
  let weight = 0;
  let isShortened = false;
  for (const { name, text } of lines) {
    const whole = harmless(text);
    const shown = cut(whole, maxAnswer);
    isShortened ||= shown !== whole;
    for (const piece of pieces({ name: oneLine(name, MAX_NAME) || NAMELESS, text: shown })) {
      weight += weigh(piece);
      if (weight > room || taken.length === MAX_PIECES) return { pieces: taken, isShortened: true };
      taken.push(piece);
    }
  }
  return { pieces: taken, isShortened };
}

function harmless(text: string): string {
  return text.replace(LINE_END, '\n').replace(UNSEEN, ' ');
}
