import { BIAS } from './case-writer.ts';
import { ELEMENT_BYTES, elementsOf, type PlacedVariable } from './layout.ts';
import { createNames } from './names.ts';
import { shortened, shortenedApart } from './texts.ts';
import { MAX_LABEL, type Question } from './variables.ts';

/** Kinds of records, and of those that extend the dictionary. */
const RECORD = { variable: 2, valueLabels: 3, labelled: 4, extension: 7, end: 999 };
const EXTENSION = {
  integers: 3,
  doubles: 4,
  sets: 7,
  display: 11,
  longNames: 13,
  longTexts: 14,
  encoding: 20,
};
/** Print formats of values. */
const FORMAT = { text: 1, number: 5, moment: 22, day: 39 };
const MEASURES = { nominal: 1, ordinal: 2, scale: 3 };
const [LEFT, RIGHT] = [0, 1];
/** The number that means a missing value, and the range of all others: the lowest is the next double. */
const [MISSING, HIGHEST, LOWEST] = [-Number.MAX_VALUE, Number.MAX_VALUE, 2 ** 971 - Number.MAX_VALUE];
const UTF_8 = 65_001;
/** Bytes of a value's label. */
const MAX_VALUE_LABEL = 120;
/** Bytes of the name of a set of variables, with the `$` before it. */
const MAX_SET_NAME = 64;
/** Width of a column in a viewer, in characters. */
const [WIDEST, NARROWEST] = [40, 8];
const CONTINUED = -1;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Everything before the cases of an SPSS system file (see “System File Format” in the developers' guide of GNU PSPP): the variables
 * with their labels, and what their numbers mean.
 */
export function dictionary(
  questions: readonly Question[],
  variables: readonly PlacedVariable[],
  cases: number,
): Buffer {
  const names = variables.map(({ shortNames, name }) => `${shortNames[0]}=${name}`).join('\t');
  const longTexts = variables
    .filter(({ segments }) => segments.length > 1)
    .map(({ shortNames, extent }) => `${shortNames[0]}=${String(extent.bytes).padStart(5, '0')}\0\t`);
  return Buffer.concat([
    header(variables, cases, new Date()),
    ...variables.flatMap(variableRecords),
    ...variables.flatMap(valueLabels),
    extension(EXTENSION.integers, 4, integers(1, 0, 0, -1, 1, 1, 2, UTF_8)),
    extension(EXTENSION.doubles, 8, doubles(MISSING, HIGHEST, LOWEST)),
    ...setsOf(questions, variables),
    extension(EXTENSION.display, 4, Buffer.concat(variables.flatMap(display))),
    extension(EXTENSION.longNames, 1, Buffer.from(names)),
    ...(longTexts.length > 0 ? [extension(EXTENSION.longTexts, 1, Buffer.from(longTexts.join('')))] : []),
    extension(EXTENSION.encoding, 1, Buffer.from('UTF-8')),
    integers(RECORD.end, 0),
  ]);
}

function header(variables: readonly PlacedVariable[], cases: number, now: Date): Buffer {
  const elements = variables.reduce((sum, variable) => sum + elementsOf(variable), 0);
  const [day, month, year] = [now.getUTCDate(), MONTHS[now.getUTCMonth()], now.getUTCFullYear() % 100];
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const [compressed, unweighted] = [1, 0];
  return Buffer.concat([
    Buffer.from('$FL2'),
    padded('@(#) SPSS DATA FILE - Formstead', 60),
    integers(2, elements, compressed, unweighted, cases),
    doubles(BIAS),
    padded(`${twoDigits(day)} ${month} ${twoDigits(year)}`, 9),
    padded(now.toISOString().slice(11, 19), 8),
    padded('', 64 + 3),
  ]);
}

/** One record for each segment, and one for each further element of a segment. */
function variableRecords(variable: PlacedVariable): Buffer[] {
  const widths = variable.segments.length === 0 ? [0] : variable.segments;
  return widths.flatMap((width, index) => {
    const label = Buffer.from(index === 0 ? shortened(variable.label, MAX_LABEL) : '');
    const format = formatOf(variable, width);
    const continued = Math.max(0, Math.ceil(width / ELEMENT_BYTES) - 1);
    return [
      integers(RECORD.variable, width, Number(label.length > 0), 0, format, format),
      padded(variable.shortNames[index] ?? '', 8),
      ...(label.length > 0 ? [integers(label.length), filled(label, 4)] : []),
      ...Array.from({ length: continued }, () =>
        Buffer.concat([integers(RECORD.variable, CONTINUED, 0, 0, 0, 0), padded('', 8)]),
      ),
    ];
  });
}

/** Kind, width and decimals in one number. */
function formatOf({ kind, extent }: PlacedVariable, width: number): number {
  if (kind === 'text') return (FORMAT.text << 16) | (width << 8);
  if (kind === 'moment')
    return extent.hasTimes ? (FORMAT.moment << 16) | (20 << 8) : (FORMAT.day << 16) | (10 << 8);
  return (FORMAT.number << 16) | (extent.shown.width << 8) | extent.shown.decimals;
}

function valueLabels({ valueLabels: labels, index }: PlacedVariable): Buffer[] {
  if (labels.length === 0) return [];
  // R puts values with equal labels together.
  const texts = shortenedApart(
    labels.map(([, label]) => label),
    MAX_VALUE_LABEL,
  );
  return [
    integers(RECORD.valueLabels, labels.length),
    ...labels.flatMap(([value], at) => {
      const bytes = Buffer.from(texts[at] ?? '');
      return [doubles(value), filled(Buffer.from([bytes.length, ...bytes]), 8)];
    }),
    integers(RECORD.labelled, 1, index),
  ];
}

/** Where several options may be chosen, each option is a variable, and the question a set of them. */
function setsOf(questions: readonly Question[], variables: readonly PlacedVariable[]): Buffer[] {
  const nameOf = createNames(MAX_SET_NAME - 1);
  const sets = questions.flatMap(({ chosenTogether }, column) => {
    const options = variables.filter((one) => one.column === column && one.kind === 'number');
    const [first] = options;
    if (chosenTogether === null || !first) return [];
    const label = Buffer.from(shortened(chosenTogether.replaceAll('\n', ' '), MAX_LABEL));
    const members = options.map(({ shortNames }) => shortNames[0]).join(' ');
    return `$${nameOf(first.name, '')}=D1 1 ${label.length} ${label} ${members}\n`;
  });
  return sets.length === 0 ? [] : [extension(EXTENSION.sets, 1, Buffer.from(sets.join('')))];
}

function display({ kind, measure, segments, extent }: PlacedVariable): Buffer[] {
  const widths = segments.length === 0 ? [extent.shown.width] : segments;
  return widths.map((width) =>
    integers(MEASURES[measure], Math.min(WIDEST, Math.max(NARROWEST, width)), kind === 'text' ? LEFT : RIGHT),
  );
}

function extension(kind: number, itemBytes: number, content: Buffer): Buffer {
  return Buffer.concat([integers(RECORD.extension, kind, itemBytes, content.length / itemBytes), content]);
}

function integers(...numbers: number[]): Buffer {
  return Buffer.from(Int32Array.from(numbers).buffer);
}

function doubles(...numbers: number[]): Buffer {
  return Buffer.from(Float64Array.from(numbers).buffer);
}

function padded(text: string, length: number): Buffer {
  return Buffer.from(text.padEnd(length));
}

/** Padded with spaces to a multiple of `unit` bytes, which is a power of two. */
function filled(bytes: Buffer, unit: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & (unit - 1), ' ')]);
}
