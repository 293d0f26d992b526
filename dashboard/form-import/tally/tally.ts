import type { JsonObject } from '../../../fields/property.ts';
import { plainText } from '../../../fields/texts/plain-text.ts';
import type { ImportedForm } from '../imported.ts';
import { addressOf, objectOf, objectsOf, tableOf, textOf } from '../json.ts';
import { type Maker, makeForm } from '../maker.ts';
import { asHtml, asName, heading, inOneLanguage, languageCode } from '../words.ts';
import { askGroup, groupsIn, isAsked } from './questions.ts';
import { htmlOf } from './texts.ts';

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
  const ends = blocks.flatMap((block, index) => (isThankYouPage(block) ? [index] : []));
  const [end = blocks.length, secondEnd] = ends;
  const asked = blocks.slice(0, end);
  const thanks = blocks
    .slice(end + 1, secondEnd)
    .map((block) => asHtml(htmlOf(block)))
    .join('');
  if (ends.length > 1)
    maker.note(
      '',
      `Of ${ends.length} thank-you pages the first is brought along. Settings → After sending takes the others.`,
    );
  addBlocks(maker, asked);
  const head = blocks.find(({ type }) => type === 'FORM_TITLE');
  return maker.finish(textOf(source.name) || (head ? htmlOf(head) : ''), {
    ...settingsOf(objectOf(source.settings)),
    ...(thanks !== '' && { submitted_text: thanks }),
    ...buttonOf(asked, head),
  });
}

function isThankYouPage({ type, payload }: JsonObject): boolean {
  return type === 'PAGE_BREAK' && objectOf(payload).isThankYouPage === true;
}

function addBlocks(maker: Maker, blocks: readonly JsonObject[]): void {
  let title = '';
  /** Texts between a title and its question. */
  let help: string[] = [];
  const forgetTitle = () => {
    title = '';
    help = [];
  };
  const tellTitle = () => {
    for (const text of [title, ...help]) maker.tell(inOneLanguage(text));
    forgetTitle();
  };
  for (const group of groupsIn(blocks)) {
    const [block = {}] = group;
    const type = textOf(block.type);
    if (TITLES.includes(type)) {
      tellTitle();
      title = htmlOf(block);
    } else if (type === 'TEXT' && title !== '') help.push(htmlOf(block));
    else if (isAsked(type)) {
      askGroup(maker, group, inOneLanguage(title), inOneLanguage(help.map(asHtml).join('')));
      forgetTitle();
    } else if (!SILENT.includes(type)) {
      // A block that cannot be imported is noted by its title.
      const about = asName(title);
      if (type in LEFT_OUT) title = '';
      tellTitle();
      addOther(maker, block, type, about);
    }
  }
  tellTitle();
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

type Add = (maker: Maker, block: JsonObject) => void;

/** Blocks that ask nothing. */
const OTHERS = tableOf<Add>({
  PAGE_BREAK: addPageBreak,
  DIVIDER: (maker) => maker.breakLine(),
  TEXT: (maker, block) => maker.tell(inOneLanguage(htmlOf(block))),
  IMAGE: addImage,
  HIDDEN_FIELDS: addHiddenFields,
  CONDITIONAL_LOGIC: (maker) =>
    maker.note('', 'Conditional logic is left out. Say under Logic of each question when it is shown.'),
  CALCULATED_FIELDS: (maker) =>
    maker.note('', 'Calculated fields are left out. Settings → Calculations can work them out.'),
});

function addOther(maker: Maker, block: JsonObject, type: string, about: string): void {
  const add = /^HEADING_\d$/.test(type) ? addHeading : OTHERS[type];
  if (add) add(maker, block);
  else maker.note(about, `A block of the kind ${type || 'unknown'} is left out.`);
}

function addHeading(maker: Maker, block: JsonObject): void {
  maker.tell(inOneLanguage(htmlOf(block)), heading);
}

function addPageBreak(maker: Maker, { payload }: JsonObject): void {
  const { name, button } = objectOf(payload);
  const next = textOf(objectOf(button).label);
  maker.breakPage(inOneLanguage(textOf(name)), next === '' ? {} : { next_btn_text: next });
}

function addImage(maker: Maker, { payload }: JsonObject): void {
  const { images, altText } = objectOf(payload);
  const address = objectsOf(images)
    .map(({ url }) => addressOf(url))
    .find(Boolean);
  if (address !== undefined) maker.show('nf-image', address, textOf(altText));
}

function addHiddenFields(maker: Maker, { payload }: JsonObject): void {
  for (const field of objectsOf(objectOf(payload).hiddenFields)) {
    const name = textOf(field.name);
    if (name === '') continue;
    // Links fill it in by its name, also where that cannot be its id.
    const key = maker.idOf(name) === name ? name : textOf(field.uuid) || name;
    maker.ask(key, 'text', { name: inOneLanguage(name) }).hidden = true;
  }
}
