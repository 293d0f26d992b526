import type { JsonValue } from '../../../fields/property.ts';
import { type Choices, optionsOf } from '../choices.ts';
import { showOnlyWhen } from '../conditions.ts';
import { countOf } from '../json.ts';
import { asName } from '../words.ts';
import { type Ask, type LimeContext, type LimeTexts, limeChoices, partOf, wordIn } from './context.ts';
import { attribute, codesIn, type LimeOption, type LimeQuestion } from './survey.ts';
import { hasMedia } from './texts.ts';

/** Adds a question with options, and those for its comments. */
export function askLimeChoice(
  question: LimeQuestion,
  texts: LimeTexts,
  context: LimeContext,
  ask: Ask,
): void {
  const { maker, names } = context;
  const options = optionsIn(question, context);
  const choices = limeChoices(options, question.about, context);
  if (choices.names.length === 0) {
    maker.note(question.about, 'It has no options. Here it takes any text.');
    ask('text');
    return;
  }
  if (options.some(({ words }) => hasMedia(words)))
    maker.note(question.about, 'The pictures of its options are left out.');
  const isShuffled =
    attribute(question, 'random_order') === '1' || attribute(question, 'answer_order') === 'random';
  switch (question.type) {
    case 'M':
    case 'P': {
      const block = ask(
        'multi_select',
        {
          ...optionsOf('multi_select', choices, [], exclusiveIn(question, choices)),
          ...limits(question),
          ...own(question),
        },
        choices,
      );
      maker.shuffle(block, isShuffled);
      for (const [code, name] of choices.bySource) names.addOption(`${question.code}_${code}`, block, name);
      if (question.type === 'P') askComments(question, choices, texts, context);
      return;
    }
    case 'R': {
      maker.shuffle(ask('ranking', optionsOf('ranking', choices), choices), isShuffled);
      const most = attribute(question, 'max_answers') || attribute(question, 'max_subquestions');
      if (most !== '' && Number(most) !== choices.names.length)
        maker.note(question.about, `It asked for the first ${most}. Here all are put in order.`);
      return;
    }
    default: {
      const isList = question.type === '!';
      const block = ask(
        'select',
        { ...optionsOf('select', choices), ...(!isList && { without_dropdown: true }), ...own(question) },
        choices,
      );
      maker.shuffle(block, isShuffled);
      if (question.type === 'O') {
        const name = partOf(texts.name, wordIn('comment', context));
        maker.ask(`${question.code}_comment`, 'text', { name }, { multi_lines: true });
      }
    }
  }
}

/** The options that rule out the others, of codes such as `A1;A2`. */
function exclusiveIn(question: LimeQuestion, { bySource }: Choices): Set<string> {
  return new Set(
    codesIn(attribute(question, 'exclude_all_others')).flatMap((code) => bySource.get(code) ?? []),
  );
}

function own({ hasOther }: LimeQuestion): Record<string, JsonValue> {
  return hasOther ? { allow_creation: true } : {};
}

/** The options of a question; those of yes and no, and of the gender, are worded by LimeSurvey. */
function optionsIn(question: LimeQuestion, context: LimeContext): LimeOption[] {
  const word = (code: string, key: Parameters<typeof wordIn>[0]) => ({ code, words: wordIn(key, context) });
  if (question.type === 'Y') return [word('Y', 'yes'), word('N', 'no')];
  if (question.type === 'G') return [word('F', 'female'), word('M', 'male')];
  const [parts = []] = question.parts;
  const [listed = []] = question.options;
  const isOfParts = /^[MP]$/.test(question.type) || listed.length === 0;
  const options = isOfParts ? parts.map(({ code, text }) => ({ code, words: text })) : listed;
  const isSorted =
    attribute(question, 'alphasort') === '1' || attribute(question, 'answer_order') === 'alphabetical';
  return isSorted
    ? options.toSorted((one, other) => asName(one.words.text).localeCompare(asName(other.words.text)))
    : [...options];
}

/** How many options may be chosen, if that is a number. */
function limits(question: LimeQuestion): Record<string, JsonValue> {
  const [min, max] = ['min_answers', 'max_answers'].map((name) => countOf(attribute(question, name)));
  return {
    ...(min !== undefined && { min_selection: min }),
    ...(max !== undefined && max >= (min ?? 1) && { max_selection: max }),
  };
}

/** A text for each option, asked if it is chosen. */
function askComments(
  { code }: LimeQuestion,
  choices: Choices,
  { name }: LimeTexts,
  context: LimeContext,
): void {
  const { maker, names } = context;
  const comment = wordIn('comment', context);
  const options = [...choices.bySource].flatMap(([source, option]) => {
    const words = choices.words[choices.names.indexOf(option)];
    return words ? [{ source, words }] : [];
  });
  for (const { source, words } of options) {
    const asked = maker.ask(`${code}_${source}comment`, 'text', { name: partOf(name, words, comment) }, {});
    const test = names.testOf(`${code}_${source}.NAOK == "Y"`, new Map());
    if (test) showOnlyWhen(asked, test, () => undefined);
  }
}
