import { isOn } from '../../fields/block-options/options.ts';
import { optionNamesById } from '../../fields/choices/choices.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';
import { inputsOf } from '../responses/table/columns.ts';
import { ABOUT_RESPONSES, exportedNames } from './exported-names.ts';
import { withoutNumbers } from './formbricks-heads.ts';
import { KNOWN_NAMES } from './known-names.ts';
import { headsOf, ranksByCode, rowsByCode } from './lime-survey-heads.ts';
import type { SourceTable } from './read-table.ts';
import {
  COMPLETION_TIME,
  CREATED_AT,
  folded,
  isCalledOwn,
  isOfOdk,
  NOTHING,
  ownPartOf,
  SOURCE_ID,
  type Target,
} from './targets.ts';

const IS_BLANK = /^\s*$/;
const IS_NUMBER = /^\s*(?:\d+(?:[.,]\d+)?)?\s*$/;
/** Qualtrics' suffix for questions with a typed option. */
const SELECTED = ' - selected choice';
const IN_BRACKETS = / \([^()]*\)$/;
/** A matrix for one of several scales: `Question [Scale 1]`. */
const SCALED = /^(.+) (\[[^[\]]*\])$/;

type OfQuestion = Target & { property: Property };

/**
 * The most likely target of each column, by key.
 * @param form exports number its files too, which are no targets
 */
export function matchColumns(
  table: Pick<SourceTable, 'columns' | 'rows'>,
  targets: readonly Target[],
  form: Pick<Form, 'properties'>,
): string[] {
  const columns = withoutNumbers(table.columns);
  const places = placesIn({ columns, rows: table.rows });
  const questions = targets.filter((target): target is OfQuestion => target.property !== null);
  const wholes = questions.filter(({ part }) => part === null);
  const parts = questions.filter(({ part }) => part !== null);
  const isOdk = isOfOdk(columns);
  const { ofQuestions: exportedName, ofFacts } = exportedNames(inputsOf(form.properties), columns);
  for (const { key, label, property } of wholes)
    places.placeAtExactly(exportedName.get(property) ?? label.trim(), key);
  for (const target of questions.filter(({ key }) => !places.isPlaced(key)))
    places.placeAt(waysOf(target, exportedName), target.key);
  if (isOdk) placeInGroups(questions, places);
  for (const target of parts)
    if (isOwn(target) && isOn(target.property.allow_creation) && !places.isPlaced(target.key))
      places.put(target.key, places.freeWhere((name) => isOwnOf(target.property, name))[0]);
  const isMatched = (property: Property) =>
    questions.some((target) => target.property === property && !isOwn(target) && places.isPlaced(target.key));
  for (const { key, property } of wholes) {
    if (isMatched(property)) continue;
    const likely = likelyPlaces(property, places);
    for (const at of likely) places.put(key, at);
    if (likely.length > 0) continue;
    const ofMatrix = parts.filter((target) => target.property === property);
    rowsByCode(property, places, table.rows).forEach((at, nth) => {
      places.put(ofMatrix[nth]?.key ?? NOTHING, at);
    });
  }
  for (const [key, ...known] of KNOWN_NAMES)
    places.placeAt(
      known.map((name) => ofFacts.get(name) ?? name),
      key,
    );
  if (isOdk && !places.isPlaced(SOURCE_ID)) places.placeAt(['key'], SOURCE_ID);
  placeByShortNames(wholes, places, isMatched);
  return places.matched;
}

/** The columns of a table, and what is placed in them. */
type Places = ReturnType<typeof placesIn>;

function placesIn({ columns, rows }: Pick<SourceTable, 'columns' | 'rows'>) {
  const heads = headsOf(columns.map(folded));
  /** Keys of targets, by column. */
  const matched = columns.map(() => NOTHING);
  const isFree = (index: number) => matched[index] === NOTHING;

  /** Some names stand for a moment in one product and a duration in another. */
  function fits(key: string, index: number): boolean {
    if (key !== CREATED_AT && key !== COMPLETION_TIME) return true;
    const isEvery = (pattern: RegExp) => rows.every(({ cells }) => pattern.test(cells[index] ?? ''));
    return isEvery(IS_BLANK) || isEvery(IS_NUMBER) === (key === COMPLETION_TIME);
  }

  return {
    heads,
    matched,
    isFree,

    isPlaced: (key: string): boolean => matched.includes(key),

    /** Columns without a target, by their name. */
    freeWhere: (isIt: (name: string) => boolean): number[] =>
      heads.flatMap(({ name }, index) => (isFree(index) && isIt(name) ? [index] : [])),

    put(key: string, at: number | undefined): void {
      if (at !== undefined) matched[at] = key;
    },

    /** Places a target in the column with this name, spelled just so. */
    placeAtExactly(name: string, key: string): void {
      const at = columns.findIndex((column, index) => column === name && isFree(index));
      if (at >= 0) matched[at] = key;
    },

    /** Places a target in the column with the first of these names that there is. */
    placeAt(names: readonly string[], key: string): void {
      for (const name of names) {
        const at = heads.findIndex(
          (head, index) => (head.name === name || head.code === name) && isFree(index) && fits(key, index),
        );
        if (at < 0) continue;
        matched[at] = key;
        return;
      }
    },
  };
}

/** OpnForm leaves out what ends a name in brackets: `Weight (kg)` is `Weight`. That has to be the name of one question only. */
function placeByShortNames(
  wholes: readonly OfQuestion[],
  places: Places,
  isMatched: (property: Property) => boolean,
): void {
  const byName = Map.groupBy(wholes, ({ property }) => folded(property.name).replace(IN_BRACKETS, ''));
  for (const [name, [target, ...others]] of byName)
    if (target && others.length === 0 && !isMatched(target.property)) places.placeAt([name], target.key);
}

/** ODK and Kobo put the names of groups before the name. */
function placeInGroups(questions: readonly OfQuestion[], places: Places): void {
  for (const target of questions.filter(({ key }) => !places.isPlaced(key))) {
    const known = namesOf(target);
    const found = places.freeWhere((name) => known.some((end) => isInGroup(name, end)));
    // The question itself is nested in fewer groups than an option of the same name.
    const lengthAt = (at: number) => places.heads[at]?.name.length ?? 0;
    places.put(target.key, found.toSorted((one, other) => lengthAt(one) - lengthAt(other))[0]);
  }
}

/** Whether it is the part for texts that respondents typed. */
function isOwn({ property, part }: OfQuestion): boolean {
  return part === ownPartOf(property);
}

/** What exports with a column for each part call it: `Question [Option]`; where an option is called Other, `Question [Other] (2)`. */
function exportedPart(question: string, target: OfQuestion): string {
  const part = folded(target.part ?? '');
  return isOwn(target) ? `${question} [${part.replace(/( \(\d+\))?$/, ']$1')}` : `${question} [${part}]`;
}

/** What the column of a question or part may be called. One with the name of a renamed question can be about the response. */
function waysOf(target: OfQuestion, exportedName: ReadonlyMap<Property, string>): string[] {
  const exported = exportedWays(target, exportedName);
  const isRenamed = exported.length > 0 && ABOUT_RESPONSES.includes(target.property.name);
  return isRenamed ? exported : [...exported, ...namesOf(target)];
}

/** The name that exports give a question or part, if it is another one. */
function exportedWays(target: OfQuestion, exportedName: ReadonlyMap<Property, string>): string[] {
  const name = exportedName.get(target.property);
  if (name === undefined) return [];
  return [target.part === null ? folded(name) : exportedPart(folded(name), target)];
}

/** Possible names of a column with an answer, or a part of it. */
function namesOf(target: OfQuestion): string[] {
  const { property, part } = target;
  const [name, id] = [folded(property.name), folded(property.id)];
  if (part === null) return [name, id, `${name}${SELECTED}`];
  const option = folded(part);
  const ids = [...optionNamesById(property, canonicalTypeName(property.type))]
    .filter(([, known]) => known === part)
    .flatMap(([optionId]) => [`${id}/${folded(optionId)}`, `${id}_${folded(optionId)}`]);
  const [, question = '', scale = ''] = SCALED.exec(name) ?? [];
  return [
    ...(isOwn(target) ? [exportedPart(name, target), `${id}_other`] : []),
    ...[
      `${name} [${option}]`,
      `${name} (${option})`,
      `${name} - ${option}`,
      `${name}${SELECTED} - ${option}`,
    ],
    ...[`${name}/${option}`, ...ids],
    // LimeSurvey has two parts without a blank between them: of a table, and of two scales.
    ...[`${name}[${option}]`, ...(scale === '' ? [] : [`${question} [${option}]${scale}`])],
  ];
}

function isInGroup(name: string, end: string): boolean {
  return name.endsWith(`/${end}`) || name.endsWith(`-${end}`);
}

/** `Question [Other (please specify)]`, or Qualtrics' `Question - Other: - Text`. */
function isOwnOf(property: Property, name: string): boolean {
  const question = folded(property.name);
  if (!name.startsWith(question)) return false;
  const rest = name.slice(question.length);
  return (
    / - text$/.test(rest) || (/^ (?:\[|\(|- )/.test(rest) && isCalledOwn(rest.replace(/^ (?:\[|\(|- )/, '')))
  );
}

/** Columns whose name contains the question and something else. */
function likelyPlaces(property: Property, { heads, freeWhere }: Places): number[] {
  const question = folded(property.name);
  const typeName = canonicalTypeName(property.type);
  const isPartOf = (name: string) => name.startsWith(`${question} [`) && !isOwnOf(property, name);
  if (typeName === 'ranking') {
    // LimeSurvey has a column for each rank.
    const ranks = freeWhere((name) => isPartOf(name) && /\[\D*\d+\]$/.test(name));
    return ranks.length > 0 ? ranks : ranksByCode(property, heads);
  }
  const parts = typeName === 'matrix' ? [] : freeWhere(isPartOf);
  // In other languages SurveyMonkey's word for an answer differs.
  if (parts.length === 1 || (parts.length > 0 && typeName === 'select')) return parts.slice(0, 1);
  // Parts of one question elsewhere may be separate questions here: `Table [Row][Column]` is `Row [Column]`.
  const ends = [` [${question}]`, ` - ${question}`, ` [${question.replace(SCALED, '$1]$2')}`];
  return freeWhere((name) => ends.some((end) => name.endsWith(end))).slice(0, 1);
}
