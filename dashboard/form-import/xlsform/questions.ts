import type { JsonValue, Property } from '../../../fields/property.ts';
import { type Choices, choicesOf, optionsOf } from '../choices.ts';
import { askTime } from '../clock.ts';
import { numberOf, tableOf } from '../json.ts';
import type { Maker } from '../maker.ts';
import { prefilled } from '../prefilled.ts';
import { cellOf, type Row } from '../rows.ts';
import { wordsOr } from '../words.ts';
import { exclusiveIn } from './exclusive.ts';
import { type Languages, wordsIn } from './sheets.ts';

export interface XlsContext {
  maker: Maker;
  languages: Languages;
  choices: readonly Row[];
}

/** Names of types in older forms and other tools. */
const ALIASES = tableOf<string>({
  string: 'text',
  int: 'integer',
  photo: 'image',
  select1: 'select_one',
  select_all_that_apply: 'select_multiple',
  select_one_external: 'select_one_from_file',
  select_multiple_from_file: 'select_one_from_file',
  trigger: 'acknowledge',
  location: 'geopoint',
  gps: 'geopoint',
  datetime: 'datetime',
});
const RECORDED = new Set([
  ...['start', 'end', 'today', 'deviceid', 'subscriberid', 'simserial', 'phonenumber', 'username', 'audit'],
  ...['start-geopoint', 'background-audio', 'background-geopoint', 'caseid', 'imei', 'uuid', 'email'],
]);
const IMAGES = 'jpg, jpeg, png, gif, webp, heic';

/** Splits `select_one yes_no or_other` into its parts. */
export function typeOf(row: Row): { kind: string; list: string; isOpen: boolean } {
  const words = cellOf(row, 'type')
    .trim()
    .replace(/^(begin|end|select|add)\s+(?=group|repeat|one|multiple|all)/i, '$1_')
    .replace(/^(select_all)\s+that\s+apply(\s+from)?/i, 'select_all_that_apply')
    .replace(/^(select_one|select_multiple)\s+from\s+(?!file)/i, '$1 ')
    .split(/\s+/);
  const [first = '', list = ''] = words;
  const kind = first.toLowerCase().replace(/^(begin|end)\s/, '$1_');
  const isOpen = words.includes('or_other') || /or\s+specify\s+other$/i.test(cellOf(row, 'type'));
  return { kind: ALIASES[kind] ?? kind, list, isOpen };
}

/** Whether a device records it without asking. */
export function isRecorded(kind: string): boolean {
  return RECORDED.has(kind);
}

export function askXlsQuestion(row: Row, context: XlsContext): Property | null {
  const { maker, languages } = context;
  const { kind } = typeOf(row);
  const source = cellOf(row, 'name');
  const label = wordsIn(row, 'label', languages);
  const name = wordsOr(label, source || 'Question');
  const looks = looksOf(row);
  const help = wordsIn(row, 'hint', languages);
  const ask = (type: string, options: Record<string, JsonValue> = {}, choices?: Choices) => {
    const before = row.get('default');
    const prefill = before === undefined ? {} : prefillOf(type, before, choices);
    if (before !== undefined && Object.keys(prefill).length === 0)
      maker.note(name.text, `What it began with is left out: ${before}`);
    const texts = { name, help, labels: choices?.words };
    const isLocked = /^(yes|true(\(\))?)$/i.test(cellOf(row, 'read_only'));
    const all = { ...options, ...prefill, ...(isLocked && { disabled: true }) };
    const guidance = wordsIn(row, 'guidance_hint', languages).text;
    if (guidance !== '') maker.note(name.text, `What interviewers are told is left out: ${guidance}`);
    if (row.get('calculation') !== undefined)
      maker.note(
        name.text,
        `It was filled in by a calculation, which is left out: ${row.get('calculation')}`,
      );
    return maker.ask(source, type, texts, all, choices);
  };
  switch (kind) {
    case 'text':
      return ask('text', looks.includes('multiline') ? { multi_lines: true } : {});
    case 'integer':
      return ask('number', { whole_number: true });
    case 'decimal':
      return ask('number');
    case 'range':
      return ask('slider', rangeOf(row));
    case 'select_one':
    case 'select_multiple':
    case 'rank':
      return askXlsChoice(row, name.text, ask, context);
    case 'date':
      return ask('date');
    case 'datetime':
      return ask('date', { with_time: true });
    case 'time':
      return askTime(maker, source, ask('text'));
    case 'note':
      return maker.tell(name);
    case 'image':
      if (looks.includes('signature')) return ask('signature');
      return ask('files', { allowed_file_types: IMAGES, camera_upload: true });
    case 'audio':
    case 'video':
    case 'file':
      return ask('files');
    case 'barcode':
      return ask('barcode');
    case 'acknowledge':
      return ask('checkbox');
    case 'hidden':
      return ask('text', { hidden: true });
    case 'geopoint':
      return ask('location');
    case 'geotrace':
    case 'geoshape':
      maker.note(name.text, 'It asked for a line or an area on a map. Here it is a text.');
      return ask('text');
    case 'select_one_from_file':
      maker.note(name.text, 'Its choices are in another file. Here it takes any text.');
      return ask('text');
    default:
      // Noted at the beginning of a group, so not again at its end.
      if (!kind.startsWith('end_'))
        maker.note(name.text, `It is left out: there is no question of the kind “${kind}” here.`);
      return null;
  }
}

function looksOf(row: Row): string[] {
  return cellOf(row, 'appearance').split(/\s+/);
}

/** The choices under a list name in the sheet “choices”. */
export function choicesInList(list: string, { choices, languages }: XlsContext): Choices {
  const listed = choices.filter((choice) => choice.get('list_name') === list);
  return choicesOf(
    listed.map((choice) => wordsOr(wordsIn(choice, 'label', languages), cellOf(choice, 'name'))),
    listed.map((choice) => [cellOf(choice, 'name')]),
  );
}

type Ask = (type: string, options: Record<string, JsonValue>, choices: Choices) => Property;

function askXlsChoice(row: Row, about: string, ask: Ask, context: XlsContext): Property {
  const { kind, list, isOpen } = typeOf(row);
  const { maker } = context;
  const choices = choicesInList(list, context);
  const isEmpty = choices.names.length === 0;
  if (isEmpty) maker.note(about, `The sheet “choices” has no list “${list}”. Here it takes any text.`);
  if (row.get('choice_filter') !== undefined)
    maker.note(
      about,
      `Which choices are offered depended on other answers. Here all are: ${row.get('choice_filter')}`,
    );
  const isShuffled = /randomize\s*=\s*true/i.test(cellOf(row, 'parameters'));
  if (isEmpty) return ask('text', {}, choices);
  if (kind === 'rank')
    return maker.shuffle(ask('ranking', optionsOf('ranking', choices), choices), isShuffled);
  const type = kind === 'select_multiple' ? 'multi_select' : 'select';
  const alone = new Set((exclusiveIn(row) ?? []).flatMap((code) => choices.bySource.get(code) ?? []));
  const isDropdown = looksOf(row).some((look) => /^(minimal|autocomplete|search)/.test(look));
  const block = ask(
    type,
    {
      ...optionsOf(type, choices, [], alone),
      ...(type === 'select' && !isDropdown && { without_dropdown: true }),
      ...(isOpen && { allow_creation: true }),
    },
    choices,
  );
  return maker.shuffle(block, isShuffled);
}

function rangeOf(row: Row): Record<string, JsonValue> {
  const given = new Map(
    [...cellOf(row, 'parameters').matchAll(/(\w+)\s*=\s*(-?[\d.]+)/g)].map(([, key, value]) => [
      key,
      numberOf(value),
    ]),
  );
  return {
    slider_min_value: given.get('start') ?? 0,
    slider_max_value: given.get('end') ?? 10,
    slider_step_value: given.get('step') ?? 1,
  };
}

/** The initial answer; empty if it is a formula. */
function prefillOf(type: string, text: string, choices: Choices | undefined): Record<string, JsonValue> {
  const names = text.split(/\s+/).flatMap((name) => choices?.bySource.get(name) ?? []);
  switch (type) {
    case 'date':
      if (/^(today|now)\(\)$/.test(text)) return { prefill_today: true };
      return prefilled(/^\d{4}-\d\d-\d\d/.test(text) ? text : undefined);
    case 'number':
    case 'slider':
      return prefilled(numberOf(text));
    case 'select':
      return prefilled(names[0]);
    case 'multi_select':
      return prefilled(names.length > 0 ? names : undefined);
    case 'text':
      return prefilled(/\$\{|\(\)/.test(text) ? undefined : text);
    default:
      return {};
  }
}
