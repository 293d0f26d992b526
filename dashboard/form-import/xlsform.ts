import type { Property } from '../../fields/property.ts';
import { ALWAYS, all, NEVER, type Test } from './boolean-tests.ts';
import { type Calculated, calculateAll } from './calculations.ts';
import { acceptOnlyWhen, requireWhen, showOnlyWhen } from './conditions.ts';
import { testOf } from './expression-conditions.ts';
import { parseExpression, SELF } from './expressions.ts';
import type { ImportedForm } from './imported.ts';
import { addressOf } from './json.ts';
import { type Asked, makeForm } from './maker.ts';
import { entryLimitsOf, repeatFrom } from './repeat.ts';
import { heading, inOneLanguage } from './words.ts';
import { askKoboGroup, beginsKoboGroup, endsKoboGroup, isKoboPart, type KoboGroup } from './xlsform-kobo.ts';
import { askXlsQuestion, isRecorded, typeOf, type XlsContext } from './xlsform-questions.ts';
import { languagesOf, type Row, wordsIn, type XlsForm } from './xlsform-sheets.ts';

const PIPE = /\$\{\s*([^{}]+?)\s*\}/g;
const YES = /^(yes|true(\(\))?|1)$/i;
const NO = /^(no|false(\(\))?|0)?$/i;

const MEDIA = /^(media::)?(image|big-image|audio|video)(::|$)/;

/** An open group or repeat. */
interface Frame {
  name: string;
  relevant: string;
  /** The test of `relevant`; undefined until it is needed. */
  test?: Test;
  isPage: boolean;
  /** For a repeat: where its questions begin among the blocks and among the asked questions. */
  repeat?: { row: Row; blocks: number; asked: number };
}

/** A question with its row and its groups. */
interface AskedIn {
  row: Row;
  block: Property;
  frames: readonly Frame[];
  /** It was meant to be repeated but is asked once, so it is optional. */
  isOnce?: boolean;
}

/**
 * A form of ODK and KoboToolbox, with the sheets survey, choices and settings.
 * @param fileName the title, if the form has none
 */
export function fromXlsForm(form: XlsForm, fileName = ''): ImportedForm {
  const maker = makeForm(PIPE);
  const languages = languagesOf(form);
  const context: XlsContext = { maker, languages, choices: form.choices };
  const hasPages = (form.settings.get('style') ?? '').split(/\s+/).includes('pages');
  const frames: Frame[] = [];
  const asked: AskedIn[] = [];
  const heads: { block: Property; frames: readonly Frame[] }[] = [];
  const calculations: Calculated[] = [];
  const recorded = new Set<string>();
  let kobo: KoboGroup | null = null;
  for (const row of form.survey.filter((one) => typeOf(one).kind === 'calculate'))
    maker.calculationId(row.get('name') ?? '');

  for (const row of form.survey) {
    const { kind } = typeOf(row);
    if (kind === '' || YES.test(row.get('disabled') ?? '')) continue;
    if (kind === 'begin_group' || kind === 'begin_repeat') begin(row, kind === 'begin_repeat');
    else if (kind === 'end_group' || kind === 'end_repeat') {
      const frame = frames.pop();
      if (frame?.repeat) endRepeat(frame, frame.repeat);
      // Questions after a group with a page of its own must not be on that page.
      if (frame?.isPage) maker.breakPage(inOneLanguage(''));
    } else if (kind === 'calculate') calculations.push(calculatedBy(row));
    else if (isRecorded(kind)) recorded.add(kind);
    else if (beginsKoboGroup(kind)) kobo = { row, parts: [] };
    else if (kobo && isKoboPart(kind)) kobo.parts.push(row);
    else if (kobo && endsKoboGroup(kind)) {
      asked.push({ row: kobo.row, block: askKoboGroup(kobo, context), frames: [...frames] });
      kobo = null;
    } else {
      const block = askXlsQuestion(row, context);
      if (block !== null) {
        asked.push({ row, block, frames: [...frames] });
        noteMedia(row, block);
      }
    }
  }
  if (recorded.size > 0)
    maker.note(
      '',
      `What the device recorded is left out: ${[...recorded].join(', ')}. The time of a response is kept here anyway.`,
    );
  for (const [name, code] of languages.codes)
    if (code === null && name !== languages.ownColumn)
      maker.note(
        '',
        `The texts in “${name}” are left out: the name of the column has no language code, such as (fr).`,
      );
  calculateAll(maker, calculations, 'xpath');
  for (const { block, frames: around } of heads) show(block, around, '');
  for (const { row, block, frames: around, isOnce } of asked) {
    show(block, around, row.get('relevant') ?? '');
    check(row, block);
    if (!isOnce) requireAnswer(row, block);
  }
  const title =
    form.settings.get('form_title') ?? form.settings.get('title') ?? form.settings.get('form_id') ?? fileName;
  const redirect = addressOf(form.settings.get('return_url'));
  return maker.finish(title, {
    ...(languages.own !== null && { language: languages.own }),
    ...(redirect !== undefined && { redirect_url: redirect }),
  });

  function begin(row: Row, isRepeat: boolean): void {
    const label = wordsIn(row, 'label', languages);
    const isPage = hasPages && frames.length === 0;
    const name = label.text || (row.get('name') ?? '');
    const isRepeated = frames.some(({ repeat }) => repeat);
    frames.push({ name, relevant: row.get('relevant') ?? '', isPage });
    if (isPage && maker.properties.length > 0) maker.breakPage(label);
    const frame = frames.at(-1);
    if (isRepeat && frame) {
      frame.repeat = { row, blocks: maker.properties.length, asked: asked.length };
      if (isRepeated)
        maker.note(name, 'It was repeated within what is repeated. Here it is asked once, below.');
      return;
    }
    if (isRepeated) {
      if (label.text !== '') maker.note(name, 'Its heading is left out: entries have no parts.');
      return;
    }
    const head = maker.tell(label, heading);
    if (head) heads.push({ block: head, frames: [...frames] });
  }

  /** Turns the questions of a repeat into one block with its conditions; conditions of single questions are left out. */
  function endRepeat({ name }: Frame, { row, blocks, asked: from }: NonNullable<Frame['repeat']>): void {
    const label = wordsIn(row, 'label', languages);
    const source = row.get('name') ?? '';
    const count = row.get('repeat_count') ?? row.get('jr:count') ?? '';
    const number = /^\d+$/.test(count) ? Number(count) : undefined;
    if (count !== '' && number === undefined)
      maker.note(name, `How often it was asked depended on an answer. Here everybody adds entries: ${count}`);
    for (const one of asked.slice(from)) {
      const text = one.row.get('required') ?? '';
      const isAlwaysShown = conditionsWithin(one.row, one.frames).length === 0;
      if (one.isOnce || one.block.type.startsWith('nf-')) continue;
      if (YES.test(text)) {
        one.block.required = isAlwaysShown;
        if (!isAlwaysShown) maker.note(one.block.name, 'Where it was shown it was required. Here it is not.');
      } else if (!NO.test(text))
        maker.note(one.block.name, `It was required under a condition, which is left out: ${text}`);
    }
    const block = repeatFrom(maker, blocks, {
      source,
      name: label.text === '' ? inOneLanguage(source || 'Entries') : label,
      help: wordsIn(row, 'hint', languages),
      options: entryLimitsOf(number, number, (text) => maker.note(name, text)),
    });
    const within = asked.splice(from);
    // A question asked once keeps its own conditions, but not those of the repeat, which has no entry to refer to.
    const kept = within.filter((one) => maker.properties.includes(one.block));
    for (const one of within) if (!kept.includes(one)) noteConditions(one.row, one.block, one.frames);
    asked.push(...kept.map((one) => ({ ...one, isOnce: true })));
    if (block) asked.push({ row, block, frames: [...frames] });
  }

  /** The conditions of a question within the repeat that has just ended. */
  function conditionsWithin(row: Row, around: readonly Frame[]): string[] {
    const inner = around.slice(frames.length + 1).map(({ relevant }) => relevant);
    return [...inner, row.get('relevant') ?? ''].filter((text) => text !== '');
  }

  function noteConditions(row: Row, { name }: Property, around: readonly Frame[]): void {
    for (const text of conditionsWithin(row, around))
      maker.note(name, `The condition under which it is shown is left out: ${text}`);
    const constraint = row.get('constraint') ?? '';
    if (constraint !== '') maker.note(name, `What is checked of its answer is left out: ${constraint}`);
  }

  function noteMedia(row: Row, { name }: Property): void {
    const { list } = typeOf(row);
    const listed = list === '' ? [] : form.choices.filter((choice) => choice.get('list_name') === list);
    if ([row, ...listed].some((one) => [...one.keys()].some((column) => MEDIA.test(column))))
      maker.note(name, 'Its pictures, sounds and films are left out: the form has only their names.');
  }

  function show(block: Property, around: readonly Frame[], own: string): void {
    const tests = around.map((frame) => {
      frame.test ??= shownWhen(frame.name, frame.relevant);
      return frame.test;
    });
    showOnlyWhen(block, all(...tests, shownWhen(block.name, own)), (text) => maker.note(block.name, text));
  }

  /** Always true if the condition cannot be expressed here. */
  function shownWhen(about: string, text: string): Test {
    if (text === '') return ALWAYS;
    const test = read(text, undefined);
    if (test === null) maker.note(about, `The condition under which it is shown is left out: ${text}`);
    return test ?? ALWAYS;
  }

  function check(row: Row, block: Property): void {
    const text = row.get('constraint') ?? '';
    const self = maker.find(row.get('name') ?? '');
    if (text === '' || !self) return;
    const test = read(text, self);
    const message = wordsIn(row, 'constraint_message', languages);
    if (test === null) maker.note(block.name, `What is checked of its answer is left out: ${text}`);
    else {
      acceptOnlyWhen(self, block, test, message.text);
      maker.say(block.id, 'error_message', message);
    }
  }

  function requireAnswer(row: Row, block: Property): void {
    const text = row.get('required') ?? '';
    if (block.type.startsWith('nf-') || text === '') return;
    const test = read(text, undefined);
    if (test === null || !requireWhen(block, test))
      maker.note(block.name, `It was required under a condition, which is left out: ${text}`);
  }

  function read(text: string, self: Asked | undefined): Test | null {
    if (YES.test(text)) return ALWAYS;
    if (NO.test(text)) return NEVER;
    const expression = parseExpression(text, 'xpath');
    return expression && testOf(expression, (name) => (name === SELF ? self : maker.find(name)));
  }
}

function calculatedBy(row: Row): Calculated {
  const name = row.get('name') ?? '';
  return { source: name, name, text: row.get('calculation') ?? '' };
}
