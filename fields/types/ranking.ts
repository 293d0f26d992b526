import { type AnswerSchema, choiceSchema } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { isBlank } from '../block-options/options.ts';
import { choiceProblems, labelsOf, shuffleProblems } from '../choices/choices.ts';
import { orderOf, placesIn, rankedNames } from '../choices/ranking-places.ts';
import type {
  AnswerCheck,
  AnswerRules,
  CompletenessCheck,
  FieldContext,
  FieldType,
  OptionProblem,
} from '../field-type.ts';
import { RANKING_OPERATORS } from '../logic/operator-names.ts';
import { isJsonObject, type JsonValue, type Property } from '../property.ts';
import type { Messages } from '../texts/messages.ts';

/** More options are hard to order, and a page has a list of all ranks for each option. */
const MAX_RANKED = 50;

/** Every option's name once, the first rank first; pages send the rank of each option instead. */
export const rankingRules: AnswerRules = {
  name: 'ranking',
  kind: 'input',
  compile: compileRanking,
  compileCompleteness: compileEveryOption,
  isEmpty: isBlank,
};

export const rankingType: FieldType = {
  ...rankingRules,
  checkOptions: (property) => [
    ...choiceProblems(property, 'ranking'),
    ...lengthProblems(property),
    ...shuffleProblems(property),
  ],
  toText: textOf,
  csvKind: 'list',
  answerSchema: rankingSchema,
  operators: RANKING_OPERATORS,
};

/** A partial answer that the page could not show is kept, so even complete submissions may lack some of the options. */
function rankingSchema(property: Property): AnswerSchema {
  const names = new Set(rankedNames(property));
  return {
    type: 'array',
    items: choiceSchema(names),
    minItems: 1,
    maxItems: names.size,
    uniqueItems: true,
    description: 'The options in the order chosen, the first rank first.',
  };
}

function lengthProblems(property: Property): OptionProblem[] {
  if (rankedNames(property).length <= MAX_RANKED) return [];
  const path = property.ranking ? 'ranking.options' : 'options';
  return [{ path, message: `At most ${MAX_RANKED} options can be put in order.` }];
}

function compileRanking(property: Property, { messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const names = rankedNames(property);
  const known = new Set<JsonValue>(names);
  return (answer, report) => {
    if (isJsonObject(answer)) {
      const places = placesIn(names, answer);
      const order = orderOf(names, places);
      if (order === null) placeProblems(property, names, places, messages).forEach(report);
      return order ?? answer;
    }
    if (!Array.isArray(answer)) report(messages.list(name));
    else if (!answer.every((item) => known.has(item))) report(messages.selectedInvalid(name));
    else {
      const twice = repeated(answer as string[]);
      if (twice.length > 0) report(messages.rankingRepeated(labelsOf(property, twice)));
    }
    return answer;
  };
}

/** Why the ranks make no order. */
function placeProblems(
  property: Property,
  names: readonly string[],
  places: readonly string[],
  messages: Messages,
): string[] {
  const taken = repeated(places.filter((place) => place !== ''));
  const missing = names.filter((_, index) => places[index] === '');
  const problems = taken.map((place) => messages.rankingPlaceTaken(place));
  if (missing.length > 0) return [...problems, messages.rankingMissing(labelsOf(property, missing))];
  return taken.length > 0 ? problems : [messages.list(property.name)];
}

/** An answer must rank every option; only a partial submission may lack some. */
function compileEveryOption(property: Property, { messages }: FieldContext): CompletenessCheck {
  const names = rankedNames(property);
  return (answer, _required, report) => {
    if (!Array.isArray(answer) || answer.length === 0) return;
    const missing = names.filter((name) => !answer.includes(name));
    if (missing.length > 0) report(messages.rankingMissing(labelsOf(property, missing)));
  };
}

/** The items that occur more than once, each once. */
function repeated(items: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(items.filter((item) => seen.size === seen.add(item).size))];
}
