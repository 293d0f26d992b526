import { isOn } from '../../fields/block-options/options.ts';
import { checkProperties, countConditions, MAX_PROPERTIES } from '../../fields/check-properties.ts';
import { variableProblems } from '../../fields/formulas/variables.ts';
import { checkConditions } from '../../fields/logic/check-logic.ts';
import type { Ending } from '../../fields/logic/endings.ts';
import { isJsonObject, type JsonValue, type Property } from '../../fields/property.ts';
import { asFields } from '../calculations/fields.ts';
import { checkEngines } from '../form-builder/publishing/check-engines.ts';
import { idsIn } from '../form-builder/references.ts';
import { FORM_LANGUAGES } from '../translations/languages.ts';
import { type FormInput, type ImportedForm, type ImportNote, UnreadableForm } from './imported.ts';
import { objectOf } from './json.ts';

/** Limits of the service: docs/limits.md. */
const MAX_TITLE = 255;
const MAX_BYTES = 1024 * 1024;
const MAX_CONDITIONS = 1_000;
const MAX_CALCULATIONS = 500;
/** Characters, leaving room for a number at the end. */
const MAX_CALCULATION_NAME = 90;
const MAX_FORMULA = 2_000;
const MAX_FORMULAS = 50_000;
const MAX_ENDINGS = 50;
const MAX_ENDING_CONDITIONS = 500;
const MAX_ENDING_NAME = 100;
const MAX_TEXTS: Readonly<Record<string, number>> = {
  description: 2_000,
  submitted_text: 10_000,
  submit_button_text: 50,
  redirect_url: 2_048,
  cover_picture: 2_048,
  logo_picture: 2_048,
};
/** Most items of one list. */
const MAX_ITEMS = 2_000;
/** Half of a surrogate pair, and U+0000. */
const UNSTORABLE = /\p{Surrogate}|\0/gu;
const MENTION = /<span mention="true" mention-field-id="([^"]*)" mention-fallback="…">…<\/span>/g;

/**
 * Makes a form that the service accepts: everything it would refuse is left out and noted.
 * @throws UnreadableForm if nothing is left, or too much
 */
export function fitForm(form: FormInput, notes: readonly ImportNote[]): ImportedForm {
  const kept = [...notes];
  const note = (about: string, text: string) => kept.push({ about, text });
  const clean = mapTexts(form, (text) => text.replace(UNSTORABLE, '')) as unknown as FormInput;
  const properties = fitBlocks(clean.properties, note);
  if (properties.length === 0) throw new UnreadableForm('There are no questions in it.');
  const calculations = fitCalculations(clean.computed_variables ?? [], properties, note);
  const fitted = withKnownMentions({
    ...fitTexts(clean, note),
    title: [...clean.title].slice(0, MAX_TITLE).join('').trim() || 'Imported form',
    properties,
    ...(clean.translations !== undefined && { translations: fitTranslations(clean.translations, note) }),
    computed_variables: calculations,
    ...(clean.endings !== undefined && {
      endings: fitEndings(clean.endings, [...properties, ...asFields(calculations)], note),
    }),
  });
  if (new TextEncoder().encode(JSON.stringify(fitted)).length > MAX_BYTES - 1_000)
    throw new UnreadableForm('The form is too large: all its texts together may have 1 MB.');
  return { form: fitted, notes: kept };
}

type Note = (about: string, text: string) => void;

/** Changes all texts in a value, including the keys of objects. */
function mapTexts(value: unknown, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return (value ?? null) as JsonValue;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [change(key), mapTexts(member, change)]));
}

function fitTexts({ ...form }: FormInput, note: Note): FormInput {
  if (typeof form.language === 'string' && !FORM_LANGUAGES.includes(form.language)) {
    note(
      '',
      `Its language is “${form.language}”, in which forms cannot be yet: buttons and messages are English.`,
    );
    delete form.language;
  }
  for (const [key, most] of Object.entries(MAX_TEXTS)) {
    const text = form[key];
    if (typeof text !== 'string' || [...text].length <= most) continue;
    delete form[key];
    note('', `The ${key.replaceAll('_', ' ')} is left out: it has more than ${most} characters.`);
  }
  return form;
}

function fitBlocks(properties: readonly Property[], note: Note): Property[] {
  if (properties.length > MAX_PROPERTIES)
    note(
      '',
      `A form has ${MAX_PROPERTIES} blocks at most. The last ${properties.length - MAX_PROPERTIES} are left out.`,
    );
  const shorter = properties.slice(0, MAX_PROPERTIES).map((block) => {
    const { questions } = block;
    if (!Array.isArray(questions)) return withShortLists(block, note);
    return {
      ...block,
      questions: questions.map((one) => withShortLists(one as Property, note)) as JsonValue[],
    };
  });
  let blocks = fewerConditions(withoutEmptyPages(shorter), note);
  // Each round removes what is wrong with single blocks; a problem with all blocks removes one of them.
  for (let round = 0; round <= MAX_PROPERTIES; round += 1) {
    const problems = Object.keys(checkProperties(blocks, checkEngines)).filter((key) => key !== 'properties');
    if (problems.length > 0) blocks = mended(blocks, problems, note);
    else if (Object.keys(checkProperties(blocks, checkEngines)).length > 0)
      blocks = withoutLargest(blocks, note);
    else break;
  }
  return blocks;
}

function withShortLists(block: Property, note: Note): Property {
  const isLong = (value: unknown): value is JsonValue[] => Array.isArray(value) && value.length > MAX_ITEMS;
  const shortened = (value: JsonValue | undefined): JsonValue | undefined => {
    if (isLong(value)) return value.slice(0, MAX_ITEMS);
    if (!isJsonObject(value) || !isLong(value.options)) return value;
    return { ...value, options: value.options.slice(0, MAX_ITEMS) };
  };
  const changed = Object.entries(block).map(([key, value]) => [key, shortened(value as JsonValue)] as const);
  if (changed.every(([key, value]) => value === block[key])) return block;
  note(block.name, `It has its first ${MAX_ITEMS} choices only: there may be no more.`);
  return { ...block, ...Object.fromEntries(changed) };
}

/** Removes page breaks between which nothing is shown. */
function withoutEmptyPages(blocks: readonly Property[]): Property[] {
  const isBreak = (block: Property | undefined) => block?.type === 'nf-page-break';
  return blocks.filter(
    (block, index) =>
      !isBreak(block) || (index > 0 && index < blocks.length - 1 && !isBreak(blocks[index + 1])),
  );
}

function fewerConditions(blocks: readonly Property[], note: Note): Property[] {
  let count = 0;
  return blocks.map((block) => {
    count += countConditions(block.logic) + countConditions(block.validation);
    if (count <= MAX_CONDITIONS) return block;
    if (block.logic || block.validation)
      note(block.name, `Its conditions are left out: a form has ${MAX_CONDITIONS} at most.`);
    return withoutValidation(withoutLogic(block));
  });
}

function mended(blocks: readonly Property[], problems: readonly string[], note: Note): Property[] {
  return blocks.flatMap((block, index) => {
    const paths = problems
      .map((key) => /^properties\.(\d+)\.?(.*)$/.exec(key))
      .flatMap((found) => (found && Number(found[1]) === index ? [found[2] ?? ''] : []));
    if (paths.length === 0) return [block];
    if (paths.every((path) => path === 'logic')) {
      note(block.name, 'The condition under which it is shown cannot be brought along.');
      return [withoutLogic(block)];
    }
    if (paths.every((path) => path.startsWith('validation'))) {
      note(block.name, 'What is checked of its answer cannot be brought along.');
      return [withoutValidation(block)];
    }
    if (paths.every((path) => /^questions\.\d/.test(path)))
      return withoutQuestions(block, new Set(paths.map((path) => Number(path.split('.')[1]))), note);
    note(block.name, `It is left out: its settings cannot be brought along (${paths.join(', ')}).`);
    return [];
  });
}

/** Removes refused questions from a repeating block; if none are left, the block as well. */
function withoutQuestions(block: Property, refused: ReadonlySet<number>, note: Note): Property[] {
  const questions = (block.questions as JsonValue[]).filter((question, index) => {
    if (refused.has(index)) {
      const { name } = objectOf(question);
      note(`${block.name}: ${name}`, 'It is left out: its settings cannot be brought along.');
    }
    return !refused.has(index);
  });
  return questions.length === 0 ? [] : [{ ...block, questions }];
}

/** Removes a block's logic. A block that its logic would show is then shown, not hidden for good. */
function withoutLogic({ logic, ...block }: Property): Property {
  return logic && isOn(block.hidden) ? { ...block, hidden: false } : block;
}

function withoutValidation({ validation: _, ...block }: Property): Property {
  return block;
}

function withoutLargest(blocks: readonly Property[], note: Note): Property[] {
  const sizes = blocks.map((block) =>
    /^(matrix|ranking|repeat)$/.test(block.type) ? JSON.stringify(block).length : 0,
  );
  const at = sizes.indexOf(Math.max(...sizes));
  const largest = blocks[at];
  if (largest) note(largest.name, 'It is left out: it has too many rows and columns.');
  return blocks.filter((_, index) => index !== at);
}

function fitCalculations(
  calculations: NonNullable<FormInput['computed_variables']>,
  properties: readonly Property[],
  note: Note,
): NonNullable<FormInput['computed_variables']> {
  const ids = new Set(properties.map(({ id }) => id));
  const names = new Set<string>();
  let kept = calculations.slice(0, MAX_CALCULATIONS).map((calculation) => {
    const short = [...calculation.name].slice(0, MAX_CALCULATION_NAME).join('').trim() || 'Calculation';
    let name = short;
    for (let number = 2; names.has(name.toLowerCase()); number += 1) name = `${short} (${number})`;
    names.add(name.toLowerCase());
    return { ...calculation, name };
  });
  // Repeated, because a removed calculation may be used by others.
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    const problems = variableProblems(kept, ids);
    let length = 0;
    kept = kept.filter(({ name, formula }, index) => {
      length += formula.length;
      const isFine = problems[index] === null && formula.length <= MAX_FORMULA && length <= MAX_FORMULAS;
      if (!isFine) note(name, 'The calculation is left out: its formula cannot be brought along.');
      return isFine;
    });
  }
  return kept;
}

/** Conditions that the service would refuse are about questions that were left out. */
function fitEndings(endings: readonly Ending[], fields: readonly Property[], note: Note): Ending[] {
  const known = new Set(fields.map(({ id }) => id));
  if (endings.length > MAX_ENDINGS)
    note(
      '',
      `A form has ${MAX_ENDINGS} endings at most. The last ${endings.length - MAX_ENDINGS} are left out.`,
    );
  let conditions = 0;
  return endings.slice(0, MAX_ENDINGS).flatMap((ending) => {
    const { name, submitted_text: text, redirect_url: address } = ending;
    const count = countConditions(ending.conditions);
    const isFine =
      checkConditions(ending.conditions, fields, checkEngines).length === 0 &&
      [...idsIn(ending.conditions)].every((id) => known.has(id)) &&
      conditions + count <= MAX_ENDING_CONDITIONS &&
      [...(text ?? '')].length <= (MAX_TEXTS.submitted_text ?? 0) &&
      [...(address ?? '')].length <= (MAX_TEXTS.redirect_url ?? 0);
    if (isFine) conditions += count;
    else note(name, 'This ending is left out: it cannot be brought along.');
    return isFine ? [{ ...ending, name: [...name].slice(0, MAX_ENDING_NAME).join('').trim() }] : [];
  });
}

/** Mentions of unknown fields are replaced by dots. */
function withKnownMentions(form: FormInput): FormInput {
  const known = new Set([...form.properties, ...(form.computed_variables ?? [])].map(({ id }) => id));
  const change = (text: string) => text.replace(MENTION, (all, id: string) => (known.has(id) ? all : '…'));
  return mapTexts(form, change) as unknown as FormInput;
}

function fitTranslations(translations: unknown, note: Note): Record<string, unknown> {
  const fitting = Object.entries(objectOf(translations)).filter(([code]) => {
    const isKnown = FORM_LANGUAGES.includes(code);
    if (!isKnown) note('', `The texts in the language “${code}” are left out: forms cannot be in it yet.`);
    return isKnown;
  });
  return Object.fromEntries(fitting);
}
