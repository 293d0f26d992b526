import type { JsonObject, Property } from '../../fields/property.ts';
import { askTime } from './clock.ts';
import { acceptOnlyWhen, compareLength } from './conditions.ts';
import type { ImportedForm } from './imported.ts';
import { addressOf, countOf, listOf, numberOf, objectOf, objectsOf, tableOf, textOf } from './json.ts';
import { type Choices, choicesOf, type Maker, makeForm, optionsOf } from './maker.ts';
import { numberLimits } from './number-limits.ts';
import { withEnds } from './scale-help.ts';
import { asHtml, heading, inOneLanguage, type Words } from './words.ts';

/** Its mentions of answers are elements of their own, which have words of their own. */
const NO_PIPE = /(?!)/g;

const TEXTS = tableOf<string>({
  INPUT_TEXT: 'text',
  TEXTAREA: 'text',
  INPUT_NUMBER: 'number',
  INPUT_EMAIL: 'email',
  INPUT_LINK: 'url',
  INPUT_PHONE_NUMBER: 'phone_number',
  INPUT_DATE: 'date',
  INPUT_TIME: 'text',
});
/** Blocks of one option each. */
const CHOICES = tableOf<'select' | 'multi_select' | 'ranking'>({
  MULTIPLE_CHOICE_OPTION: 'select',
  DROPDOWN_OPTION: 'select',
  CHECKBOX: 'multi_select',
  MULTI_SELECT_OPTION: 'multi_select',
  RANKING_OPTION: 'ranking',
});
const MATRIX = /^MATRIX(_ROW|_COLUMN)?$/;
const TITLES = ['TITLE', 'LABEL'];
/** They hold others, or say nothing. */
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

/** A form as Tally's API answers it: a list of blocks, of which a title and the inputs after it make a question. */
export function fromTally(source: JsonObject): ImportedForm {
  const maker = makeForm(NO_PIPE);
  const blocks = objectsOf(source.blocks);
  const end = blocks.findIndex(
    ({ type, payload }) => type === 'PAGE_BREAK' && objectOf(payload).isThankYouPage === true,
  );
  const asked = end < 0 ? blocks : blocks.slice(0, end);
  let title = '';
  for (let index = 0; index < asked.length; index += 1) {
    const block = asked[index] ?? {};
    const type = textOf(block.type);
    if (TITLES.includes(type)) {
      if (title !== '') maker.tell(inOneLanguage(title));
      title = htmlOf(block);
    } else if (type in TEXTS || type in CHOICES || MATRIX.test(type) || isSingle(type)) {
      const group = groupFrom(asked, index);
      index += group.length - 1;
      askGroup(maker, group, inOneLanguage(title));
      title = '';
    } else if (!SILENT.includes(type)) addOther(maker, block, type);
  }
  if (title !== '') maker.tell(inOneLanguage(title));
  const head = blocks.find(({ type }) => type === 'FORM_TITLE');
  const thanks =
    end < 0
      ? ''
      : blocks
          .slice(end + 1)
          .map((block) => asHtml(htmlOf(block)))
          .join('');
  return maker.finish(textOf(source.name) || (head ? htmlOf(head) : ''), {
    ...(thanks !== '' && { submitted_text: thanks }),
  });
}

function isSingle(type: string): boolean {
  return ['FILE_UPLOAD', 'LINEAR_SCALE', 'RATING', 'SIGNATURE'].includes(type);
}

/** The blocks from here on that belong together. */
function groupFrom(blocks: readonly JsonObject[], from: number): JsonObject[] {
  const { type, groupUuid } = blocks[from] ?? {};
  const belongs = (block: JsonObject) =>
    block.groupUuid === groupUuid &&
    (block.type === type || (MATRIX.test(textOf(type)) && MATRIX.test(textOf(block.type))));
  if (!(textOf(type) in CHOICES) && !MATRIX.test(textOf(type))) return blocks.slice(from, from + 1);
  const rest = blocks.slice(from);
  const end = rest.findIndex((block) => !belongs(block));
  return end < 0 ? rest : rest.slice(0, end);
}

function askGroup(maker: Maker, group: readonly JsonObject[], name: Words): Property {
  const [first = {}] = group;
  const type = textOf(first.type);
  const payload = objectOf(first.payload);
  const source = textOf(first.groupUuid) || textOf(first.uuid);
  const required = group.some((block) => objectOf(block.payload).isRequired === true);
  const isHidden = payload.isHidden === true;
  const placeholder = inOneLanguage(textOf(payload.placeholder));
  const titled = name.text === '' ? inOneLanguage(placeholder.text || 'Question') : name;
  const key = maker.find(source) ? textOf(first.uuid) : source;
  const ask = (ours: string, options: Parameters<Maker['ask']>[3] = {}, choices?: Choices, help?: Words) => {
    const texts = { name: titled, help, ...(choices === undefined && { placeholder }) };
    const block = maker.ask(key, ours, texts, { required, ...options }, choices);
    maker.shuffle(block, payload.randomize === true);
    if (isHidden) {
      block.hidden = true;
      maker.note(block.name, 'It is hidden. Where logic showed it, give it that logic here.');
    }
    return block;
  };
  const kind = CHOICES[type];
  if (kind !== undefined) return askChoice(group, kind, ask);
  if (MATRIX.test(type)) return ask('matrix', matrixOf(group));
  switch (type) {
    case 'LINEAR_SCALE': {
      const [min, max] = [numberOf(payload.start) ?? 1, numberOf(payload.end) ?? 10];
      const options = {
        scale_min_value: min,
        scale_max_value: max,
        scale_step_value: numberOf(payload.step) ?? 1,
      };
      const [low, high] = [textOf(payload.leftLabel), textOf(payload.rightLabel)];
      return withEnds(maker, ask('scale', options), inOneLanguage(low), inOneLanguage(high));
    }
    case 'RATING':
      return ask('rating', { rating_max_value: countOf(payload.stars) ?? 5 });
    case 'SIGNATURE':
      return ask('signature');
    case 'FILE_UPLOAD':
      return ask('files', payload.hasMultipleFiles === true ? { multiple: true } : {});
    case 'INPUT_TIME':
      return askTime(maker, key, ask('text'));
    default: {
      const most = limitOf(payload, 'MaxCharacters');
      const block = ask(TEXTS[type] ?? 'text', {
        ...(type === 'TEXTAREA' && { multi_lines: true }),
        ...(most !== undefined && TEXTS[type] === 'text' && { max_char_limit: most }),
        ...(TEXTS[type] === 'number' &&
          numberLimits(limitOf(payload, 'MinNumber'), limitOf(payload, 'MaxNumber'))),
      });
      limit(maker, key, block, payload);
      return block;
    }
  }
}

/** `8` of `{ hasMinNumber: true, minNumber: 8 }`. */
function limitOf(payload: JsonObject, name: string): number | undefined {
  const key = name.charAt(0).toLowerCase() + name.slice(1);
  return payload[`has${name}`] === true ? numberOf(payload[key]) : undefined;
}

function limit(maker: Maker, key: string, block: Property, payload: JsonObject): void {
  const asked = maker.find(key);
  if (!asked) return;
  const least = limitOf(payload, 'MinCharacters');
  const length = least === undefined ? null : compareLength(asked, '>=', least);
  if (length) acceptOnlyWhen(asked, block, length, `Enter at least ${least} characters.`);
}

type Ask = (ours: string, options: Parameters<Maker['ask']>[3], choices: Choices) => Property;

function askChoice(
  group: readonly JsonObject[],
  kind: 'select' | 'multi_select' | 'ranking',
  ask: Ask,
): Property {
  const payloads = group.map(({ payload }) => objectOf(payload));
  const isMultiple = kind === 'select' && payloads.some(({ allowMultiple }) => allowMultiple === true);
  const type = isMultiple ? 'multi_select' : kind;
  const listed = group.filter(({ payload }) => objectOf(payload).isOtherOption !== true);
  const choices = choicesOf(
    listed.map((block) => inOneLanguage(textOf(objectOf(block.payload).text) || htmlOf(block))),
    listed.map(({ uuid }) => [textOf(uuid)]),
  );
  const isOpen = type === 'select' && group[0]?.type !== 'DROPDOWN_OPTION';
  const [min, max] = ['MinChoices', 'MaxChoices'].map((name) => countOf(limitOf(payloads[0] ?? {}, name)));
  return ask(
    type,
    {
      ...optionsOf(type, choices),
      ...(isOpen && { without_dropdown: true }),
      ...(type !== 'ranking' && listed.length < group.length && { allow_creation: true }),
      ...(type === 'multi_select' && min !== undefined && { min_selection: min }),
      ...(type === 'multi_select' && max !== undefined && max >= (min ?? 1) && { max_selection: max }),
    },
    choices,
  );
}

function matrixOf(group: readonly JsonObject[]): { rows: string[]; columns: string[] } {
  const named = (type: string) =>
    choicesOf(
      group.filter((block) => block.type === type).map((block) => inOneLanguage(htmlOf(block))),
      [],
    ).names;
  return { rows: named('MATRIX_ROW'), columns: named('MATRIX_COLUMN') };
}

function addOther(maker: Maker, block: JsonObject, type: string): void {
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
  else maker.note('', `A block of the kind ${type || 'unknown'} is left out.`);
}

/** What a block says, as HTML. */
function htmlOf({ payload }: JsonObject): string {
  const { html, safeHTMLSchema, text } = objectOf(payload);
  return textOf(html) || listOf(safeHTMLSchema).map(pieceOf).join('').trim() || textOf(text);
}

/** Of `["words", [how they look]]` the words. */
function pieceOf(piece: unknown): string {
  const words = Array.isArray(piece) ? piece[0] : piece;
  return typeof words === 'string' ? words : '';
}
