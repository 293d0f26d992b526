import type { Property } from '../../../fields/property.ts';
import type { Test } from '../boolean-tests.ts';
import type { Calculated } from '../calculations.ts';
import { tableOf } from '../json.ts';
import type { Maker } from '../maker.ts';
import { entryLimitsOf, repeatFrom } from '../repeat.ts';
import { cellOf, type Row } from '../rows.ts';
import { heading, inOneLanguage, wordsOr } from '../words.ts';
import { exclusiveIn } from './exclusive.ts';
import { askKoboGroup, type KoboGroup } from './kobo.ts';
import { askXlsQuestion, isRecorded, typeOf, type XlsContext } from './questions.ts';
import { wordsIn, type XlsForm } from './sheets.ts';

export const YES = /^(yes|true(\(\))?|1)$/i;
export const NO = /^(no|false(\(\))?|0)?$/i;
const MEDIA = /^(media::)?(image|big-image|audio|video)(::|$)/;

/** A group or repeat around questions. */
export interface Frame {
  name: string;
  relevant: string;
  /** The test of `relevant`; undefined until it is needed. */
  test?: Test;
  isPage: boolean;
  repeat?: Repeat;
}

interface Repeat {
  row: Row;
  /** Where its questions begin among the blocks. */
  blocks: number;
  /** Where they begin among the asked questions. */
  asked: number;
}

/** A question with its row and its groups. */
interface AskedIn {
  row: Row;
  block: Property;
  frames: readonly Frame[];
  /** It was meant to be repeated but is asked once, so it is optional. */
  isOnce?: boolean;
}

/** What the sheet “survey” asks; conditions are applied once all is known that they may refer to. */
export interface Survey {
  asked: AskedIn[];
  /** The headings of groups. */
  heads: { block: Property; frames: readonly Frame[] }[];
  calculations: Calculated[];
  /** Kinds of what the device recorded. */
  recorded: Set<string>;
}

/** The survey up to the current row. */
interface Reading extends Survey, XlsContext {
  hasPages: boolean;
  /** The open groups and repeats, outermost first. */
  frames: Frame[];
  /** The open question of Kobo. */
  kobo: KoboGroup | null;
}

type Step = (reading: Reading, row: Row) => void;

/** What to do with rows that are not just a question. */
const STEPS = tableOf<Step>({
  begin_group: beginGroup,
  end_group: end,
  begin_repeat: beginRepeat,
  end_repeat: end,
  calculate: noteCalculation,
  begin_score: beginKobo,
  score__row: addKoboPart,
  end_score: endKobo,
  begin_rank: beginKobo,
  rank__level: addKoboPart,
  end_rank: endKobo,
});

/** Adds the blocks of the sheet “survey”. */
export function readSurvey({ survey, settings }: XlsForm, context: XlsContext): Survey {
  const reading: Reading = {
    ...context,
    asked: [],
    heads: [],
    calculations: [],
    recorded: new Set(),
    hasPages: cellOf(settings, 'style').split(/\s+/).includes('pages'),
    frames: [],
    kobo: null,
  };
  // Ids of calculations come first: texts may mention them before their row.
  for (const row of survey)
    if (typeOf(row).kind === 'calculate') context.maker.calculationId(cellOf(row, 'name'));
  for (const row of survey) {
    const { kind } = typeOf(row);
    if (kind === '' || YES.test(cellOf(row, 'disabled'))) continue;
    if (isRecorded(kind)) reading.recorded.add(kind);
    else (STEPS[kind] ?? ask)(reading, row);
  }
  return reading;
}

function ask(reading: Reading, row: Row): void {
  const block = askXlsQuestion(row, reading);
  if (block === null) return;
  reading.asked.push({ row, block, frames: [...reading.frames] });
  noteMedia(reading, row, block);
}

function noteMedia({ maker, choices }: XlsContext, row: Row, { name }: Property): void {
  const { list } = typeOf(row);
  const listed = list === '' ? [] : choices.filter((choice) => choice.get('list_name') === list);
  if ([row, ...listed].some((one) => [...one.keys()].some((column) => MEDIA.test(column))))
    maker.note(name, 'Its pictures, sounds and films are left out: the form has only their names.');
}

function noteCalculation({ calculations }: Reading, row: Row): void {
  const name = cellOf(row, 'name');
  calculations.push({ source: name, name, text: cellOf(row, 'calculation') });
}

function beginKobo(reading: Reading, row: Row): void {
  reading.kobo = { row, parts: [] };
}

function addKoboPart(reading: Reading, row: Row): void {
  if (reading.kobo) reading.kobo.parts.push(row);
  else ask(reading, row);
}

function endKobo(reading: Reading, row: Row): void {
  const { kobo, asked, frames } = reading;
  if (kobo) asked.push({ row: kobo.row, block: askKoboGroup(kobo, reading), frames: [...frames] });
  else ask(reading, row);
  reading.kobo = null;
}

function beginGroup(reading: Reading, row: Row): void {
  const { maker, languages, frames, heads } = reading;
  const isRepeated = isInRepeat(reading);
  const { name } = openFrame(reading, row);
  const label = wordsIn(row, 'label', languages);
  if (isRepeated) {
    if (label.text !== '') maker.note(name, 'Its heading is left out: entries have no parts.');
    return;
  }
  const block = maker.tell(label, heading);
  if (block) heads.push({ block, frames: [...frames] });
}

function beginRepeat(reading: Reading, row: Row): void {
  const { maker, asked } = reading;
  const isRepeated = isInRepeat(reading);
  const frame = openFrame(reading, row);
  frame.repeat = { row, blocks: maker.properties.length, asked: asked.length };
  if (isRepeated)
    maker.note(frame.name, 'It was repeated within what is repeated. Here it is asked once, below.');
}

function isInRepeat({ frames }: Reading): boolean {
  return frames.some(({ repeat }) => repeat);
}

function openFrame({ maker, languages, frames, hasPages }: Reading, row: Row): Frame {
  const label = wordsIn(row, 'label', languages);
  const frame: Frame = {
    name: label.text || cellOf(row, 'name'),
    relevant: cellOf(row, 'relevant'),
    isPage: hasPages && frames.length === 0,
  };
  frames.push(frame);
  if (frame.isPage && maker.properties.length > 0) maker.breakPage(label);
  return frame;
}

function end(reading: Reading): void {
  const frame = reading.frames.pop();
  if (frame?.repeat) endRepeat(reading, frame.name, frame.repeat);
  // Questions after a group with a page of its own must not be on that page.
  if (frame?.isPage) reading.maker.breakPage(inOneLanguage(''));
}

/** Turns the questions of a repeat into one block with its conditions; conditions of single questions are left out. */
function endRepeat(reading: Reading, name: string, { row, blocks, asked: from }: Repeat): void {
  const { maker, languages, frames, asked } = reading;
  const label = wordsIn(row, 'label', languages);
  const source = cellOf(row, 'name');
  const within = asked.splice(from);
  const conditionsOf = conditionsBelow(frames.length + 1);
  const count = entryCount(maker, name, row);
  for (const one of within) requireInEntries(maker, one, conditionsOf(one).length === 0);
  const block = repeatFrom(maker, blocks, {
    source,
    name: wordsOr(label, source || 'Entries'),
    help: wordsIn(row, 'hint', languages),
    options: entryLimitsOf(count, count, (text) => maker.note(name, text)),
  });
  // A question asked once keeps its own conditions, but not those of the repeat, which has no entry to refer to.
  for (const one of within)
    if (maker.properties.includes(one.block)) asked.push({ ...one, isOnce: true });
    else noteConditions(maker, one, conditionsOf(one));
  if (block) asked.push({ row, block, frames: [...frames] });
}

/** The number of entries, if the form gives it as a number. */
function entryCount(maker: Maker, name: string, row: Row): number | undefined {
  const count = cellOf(row, 'repeat_count') || cellOf(row, 'jr:count');
  if (/^\d+$/.test(count)) return Number(count);
  if (count !== '')
    maker.note(name, `How often it was asked depended on an answer. Here everybody adds entries: ${count}`);
  return undefined;
}

/** The conditions of a question, without those of its outer groups and repeats. */
function conditionsBelow(depth: number): (asked: AskedIn) => string[] {
  return ({ row, frames }) =>
    [...frames.slice(depth).map(({ relevant }) => relevant), cellOf(row, 'relevant')].filter(
      (text) => text !== '',
    );
}

function requireInEntries(maker: Maker, { row, block, isOnce }: AskedIn, isAlwaysShown: boolean): void {
  const text = cellOf(row, 'required');
  if (isOnce || block.type.startsWith('nf-') || NO.test(text)) return;
  if (!YES.test(text)) {
    maker.note(block.name, `It was required under a condition, which is left out: ${text}`);
    return;
  }
  block.required = isAlwaysShown;
  if (!isAlwaysShown) maker.note(block.name, 'Where it was shown it was required. Here it is not.');
}

function noteConditions(maker: Maker, { row, block }: AskedIn, conditions: readonly string[]): void {
  for (const text of conditions)
    maker.note(block.name, `The condition under which it is shown is left out: ${text}`);
  const constraint = cellOf(row, 'constraint');
  const isKept = block.type === 'multi_select' && exclusiveIn(row);
  if (constraint !== '' && !isKept)
    maker.note(block.name, `What is checked of its answer is left out: ${constraint}`);
}
