import type { JsonObject, Property } from '../../../fields/property.ts';
import { limitWords } from '../conditions.ts';
import { countOf, numberOf, objectsOf, textOf } from '../json.ts';
import type { Maker } from '../maker.ts';
import { entryLimitsOf, repeatFrom } from '../repeat.ts';
import { asName, mapWords, wordsOr } from '../words.ts';
import type { Read } from './choices.ts';
import { EXPRESSIONS, tellLeftOut } from './conditions.ts';
import { askSurveyElement, elementsIn } from './elements.ts';
import { tellLosses } from './losses.ts';

/** The placeholder for an entry's number in its title. */
const NUMBER = /[\s#№.,:(]*\{panelIndex\}[).:]*/g;
const CONDITIONS = ['visibleIf', 'requiredIf', ...EXPRESSIONS];
/** Members with initial values of entries. */
const BEGINNINGS = ['defaultValue', 'defaultRowValue', 'defaultPanelValue'];

export function isRepeated(type: string): boolean {
  return type === 'paneldynamic' || type === 'matrixdynamic';
}

/**
 * Turns repeated panels and rows into repeated questions.
 * @returns the block; null if none of them can be repeated
 */
export function askRepeated(maker: Maker, element: JsonObject, read: Read): Property | null {
  const isPanel = element.type === 'paneldynamic';
  const title = read(element.title);
  const name = wordsOr(title, textOf(element.name) || 'Entries');
  const from = maker.properties.length;
  const inner = isPanel
    ? [...objectsOf(element.templateElements), ...objectsOf(element.questions)]
    : [...objectsOf(element.columns).map((column) => cellOf(column, element)), ...detailsOf(element)];
  for (const one of inner) askWithin(maker, one, read, asName(name.text));
  const titles = mapWords(read(element.templateTitle), (text) => asName(text.replace(NUMBER, ' ')));
  const note = (text: string) => maker.note(name.text, text);
  if (BEGINNINGS.some((key) => element[key] !== undefined)) note('What it began with is left out.');
  const hasName = !titles.text.includes('{');
  if (!hasName) note(`What an entry is called is left out: ${read(element.templateTitle).text}`);
  tellLosses(element, read, note);
  return repeatFrom(maker, from, {
    source: textOf(element.name),
    name,
    help: read(element.description),
    ...(hasName && { entryName: titles }),
    options: {
      ...(element.isRequired === true && { required: true }),
      ...(element.readOnly === true && { disabled: true }),
      ...limitsOf(element, isPanel, note),
    },
  });
}

/** The number of entries. If people cannot add any, the initial ones are the maximum. */
function limitsOf(element: JsonObject, isPanel: boolean, note: (text: string) => void) {
  const [least, most, first, canAdd] = isPanel
    ? [element.minPanelCount, element.maxPanelCount, element.panelCount, element.allowAddPanel]
    : [element.minRowCount, element.maxRowCount, element.rowCount, element.allowAddRows];
  const isFixed = canAdd === false;
  const count = isFixed ? countOf(first) : undefined;
  if (isFixed && count === undefined) note('Nobody could add entries. Here everybody can.');
  return entryLimitsOf(numberOf(least), count ?? numberOf(most), note);
}

/** The questions below a row's cells, if they are shown. */
function detailsOf({ detailPanelMode, detailElements }: JsonObject): JsonObject[] {
  return /^underRow/.test(textOf(detailPanelMode)) ? objectsOf(detailElements) : [];
}

/** A question or panel within an entry. Conditions are about answers of the same entry, which cannot be expressed here. */
function askWithin(maker: Maker, element: JsonObject, read: Read, about: string): void {
  if (element.type === 'panel') {
    askPanel(maker, element, read, about);
    return;
  }
  const from = maker.properties.length;
  if (isRepeated(textOf(element.type))) {
    const block = askRepeated(maker, element, read);
    if (block)
      maker.note(block.name, 'It was repeated within what is repeated. Here it is asked once, below.');
  } else askSurveyElement(maker, element, read);
  for (const block of maker.properties.slice(from)) leaveOutConditions(maker, element, block);
}

function askPanel(maker: Maker, panel: JsonObject, read: Read, about: string): void {
  const title = asName(read(panel.title).text);
  const visibleIf = textOf(panel.visibleIf);
  if (title !== '') maker.note(title, 'Its heading is left out: entries have no parts.');
  if (visibleIf !== '')
    maker.note(title || about, `The condition under which it is shown is left out: ${visibleIf}`);
  for (const one of elementsIn(panel))
    askWithin(maker, visibleIf === '' ? one : { ...one, isRequired: false }, read, about);
}

function leaveOutConditions(maker: Maker, element: JsonObject, block: Property): void {
  const note = (text: string) => maker.note(block.name, text);
  if (element.visible === false) block.hidden = true;
  tellLeftOut(maker, element, CONDITIONS, block.name);
  if (textOf(element.visibleIf) !== '') block.required = false;
  if (objectsOf(element.validators).some(({ type }) => type !== 'email'))
    note('What is checked of its answer is left out.');
  const limits = limitWords(...limitsWithin(element, block));
  if (limits !== '') note(`What is checked of its answer is left out: ${limits}`);
}

/** Limits of dates; those of numbers are imported. */
function limitsWithin({ min, max }: JsonObject, { type }: Property) {
  const limit = (value: unknown) => (type === 'date' ? textOf(value) || undefined : undefined);
  return [limit(min), limit(max)] as const;
}

/** A table's column as a question, with the table's defaults. */
function cellOf(column: JsonObject, { cellType, choices }: JsonObject): JsonObject {
  const own = textOf(column.cellType);
  const type = own === '' || own === 'default' ? textOf(cellType) || 'dropdown' : own;
  return { ...column, type, ...(column.choices === undefined && choices !== undefined && { choices }) };
}
