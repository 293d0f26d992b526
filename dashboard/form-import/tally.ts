import { plainText } from '../../fields/plain-text.ts';
import type { JsonObject } from '../../fields/property.ts';
import type { ImportedForm } from './imported.ts';
import { addressOf, objectOf, objectsOf, tableOf, textOf } from './json.ts';
import { type Maker, makeForm } from './maker.ts';
import { askGroup, groupFrom, isAsked } from './tally-questions.ts';
import { htmlOf } from './tally-texts.ts';
import { asHtml, asName, heading, inOneLanguage, languageCode } from './words.ts';

/** Matches nothing: Tally's mentions are separate elements with a text of their own. */
const NO_PIPE = /(?!)/g;

/** Blocks whose titles mean nothing without them. */
const LEFT_OUT = tableOf<true>({ PAYMENT: true, WALLET_CONNECT: true });
const TITLES = ['TITLE', 'LABEL'];
/** Blocks that only contain others, or have no text. */
const SILENT = [
  'FORM_TITLE',
  'QUESTION',
  'MULTIPLE_CHOICE',
  'CHECKBOXES',
  'DROPDOWN',
  'MULTI_SELECT',
  'RANKING',
];

export function isTally({ blocks }: JsonObject): boolean {
  return objectsOf(blocks).some((block) => 'groupUuid' in block && 'payload' in block);
}

/** A form from Tally's API: a list of blocks, in which a title and the following inputs make a question. */
export function fromTally(source: JsonObject): ImportedForm {
  const maker = makeForm(NO_PIPE);
  const blocks = objectsOf(source.blocks);
  const end = blocks.findIndex(
    ({ type, payload }) => type === 'PAGE_BREAK' && objectOf(payload).isThankYouPage === true,
  );
  const asked = end < 0 ? blocks : blocks.slice(0, end);
  let title = '';
  /** Texts between a title and its question. */
  let help: string[] = [];
  const tellTitle = () => {
    if (title !== '') maker.tell(inOneLanguage(title));
    for (const text of help) maker.tell(inOneLanguage(text));
    title = '';
    help = [];
  };
  for (let index = 0; index < asked.length; index += 1) {
    const block = asked[index] ?? {};
    const type = textOf(block.type);
    if (TITLES.includes(type)) {
      tellTitle();
      title = htmlOf(block);
    } else if (type === 'TEXT' && title !== '') help.push(htmlOf(block));
    else if (isAsked(type)) {
      const group = groupFrom(asked, index);
      index += group.length - 1;
      askGroup(maker, group, inOneLanguage(title), inOneLanguage(help.map(asHtml).join('')));
      title = '';
      help = [];
    } else if (!SILENT.includes(type)) {
      // A block that cannot be imported is noted by its title.
      const about = asName(title);
      if (type in LEFT_OUT) title = '';
      tellTitle();
      addOther(maker, block, type, about);
    }
  }
  tellTitle();
  const head = blocks.find(({ type }) => type === 'FORM_TITLE');
  const thanks =
    end < 0
      ? ''
      : blocks
          .slice(end + 1)
          .map((block) => asHtml(htmlOf(block)))
          .join('');
  return maker.finish(textOf(source.name) || (head ? htmlOf(head) : ''), {
    ...settingsOf(objectOf(source.settings)),
    ...(thanks !== '' && { submitted_text: thanks }),
    ...buttonOf(asked, head),
  });
}

function settingsOf(settings: JsonObject): { [key: string]: unknown } {
  const { redirectOnCompletion, hasProgressBar } = settings;
  const language = languageCode(textOf(settings.language));
  const redirect = addressOf(plainText(textOf(objectOf(redirectOnCompletion).html ?? redirectOnCompletion)));
  return {
    ...(language !== null && { language }),
    ...(hasProgressBar === true && { show_progress_bar: true }),
    ...(redirect !== undefined && { redirect_url: redirect }),
  };
}

/** The button of a single-page form, which is stored in its title. */
function buttonOf(
  asked: readonly JsonObject[],
  head: JsonObject | undefined,
): { submit_button_text?: string } {
  const label = asName(textOf(objectOf(objectOf(head?.payload).button).label));
  return label === '' || asked.some(({ type }) => type === 'PAGE_BREAK') ? {} : { submit_button_text: label };
}

function addOther(maker: Maker, block: JsonObject, type: string, about: string): void {
  const payload = objectOf(block.payload);
  if (type === 'PAGE_BREAK') {
    const next = textOf(objectOf(payload.button).label);
    maker.breakPage(inOneLanguage(textOf(payload.name)), next === '' ? {} : { next_btn_text: next });
  } else if (type === 'DIVIDER') maker.breakLine();
  else if (/^HEADING_\d$/.test(type)) maker.tell(inOneLanguage(htmlOf(block)), heading);
  else if (type === 'TEXT') maker.tell(inOneLanguage(htmlOf(block)));
  else if (type === 'IMAGE') {
    const address = objectsOf(payload.images)
      .map(({ url }) => addressOf(url))
      .find(Boolean);
    if (address !== undefined) maker.show('nf-image', address, textOf(payload.altText));
  } else if (type === 'HIDDEN_FIELDS') {
    for (const { name, uuid } of objectsOf(payload.hiddenFields))
      if (textOf(name) !== '')
        maker.ask(textOf(uuid) || textOf(name), 'text', { name: inOneLanguage(textOf(name)) }).hidden = true;
  } else if (type === 'CONDITIONAL_LOGIC')
    maker.note('', 'Conditional logic is left out. Say under Logic of each question when it is shown.');
  else if (type === 'CALCULATED_FIELDS')
    maker.note('', 'Calculated fields are left out. Settings → Calculations can work them out.');
  else maker.note(about, `A block of the kind ${type || 'unknown'} is left out.`);
}
