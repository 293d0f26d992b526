import type { Property } from '../../../fields/property.ts';
import { all, type Test } from '../boolean-tests.ts';
import { acceptOnlyWhen, compare, compareToday, limitTest, limitWords } from '../conditions.ts';
import type { Asked } from '../maker.ts';
import { asName, inOneLanguage } from '../words.ts';
import { decimalOf, type LimeContext, type LimeInput } from './context.ts';
import { attribute, type LimeQuestion } from './survey.ts';

const TODAY = /^(?:"|')?(?:today|now)(?:"|')?$|^\(?date\(["']y-m-d["']\)\)?$/i;

/**
 * Adds the checks of a question's answer.
 * @param input the row or cell that the block asks for, if it asks for a part of the question
 */
export function checkLimeAnswer(
  question: LimeQuestion,
  block: Property,
  input: LimeInput | undefined,
  context: LimeContext,
): void {
  const { maker, names } = context;
  const self = maker.find(input?.source ?? question.code);
  if (self?.block !== block) return;
  const tests: Test[] = [];
  const add = (test: Test | null, said: string) => {
    if (test === null) maker.note(block.name, `What is checked of its answer is left out: ${said}`);
    else tests.push(test);
  };
  if (question.pattern !== '') add(patternTest(self, question.pattern), question.pattern);
  const [name, other] = input
    ? ['em_validation_sq', 'em_validation_q']
    : ['em_validation_q', 'em_validation_sq'];
  const expression = attribute(question, name);
  if (expression !== '') add(names.testOf(expression, new Map(), self), expression);
  const whole = attribute(question, other);
  if (whole !== '') maker.note(question.about, `What is checked of its answers is left out: ${whole}`);
  for (const { test, said } of dateLimits(question, block, self)) add(test, said);
  // Without that answer there is no limit.
  for (const { how, said } of limitsOfAnswers(question, block))
    add(names.testOf(`is_empty(${said}) || this ${how} ${said}`, new Map(), self), `${how} ${said}`);
  if (tests.length === 0) return;
  const tip = context.clean(question.attributes.get(`${name}_tip`) ?? inOneLanguage(''), block.name);
  const message = asName(tip.text) || limitWords(...valuesOf(question, block));
  acceptOnlyWhen(self, block, all(...tests), message);
  if (asName(tip.text) !== '') maker.say(block.id, 'error_message', tip);
}

/** The pattern between its delimiters. Its flags would change its meaning, except `u`. */
function patternTest(self: Asked, text: string): Test | null {
  const [, sign, pattern = '', flags = ''] = /^([^\w\s\\])([\s\S]*)\1([a-z]*)$/i.exec(text) ?? [];
  return sign === undefined || /[^u]/.test(flags) ? null : compare(self, 'matches', pattern);
}

/** Limits of a number that are no numbers. */
function limitsOfAnswers(question: LimeQuestion, { type }: Property): { how: string; said: string }[] {
  if (type !== 'number' || !/^[NK]$/.test(question.type)) return [];
  return [
    { how: '>=', said: attribute(question, 'min_num_value_n') },
    { how: '<=', said: attribute(question, 'max_num_value_n') },
  ].filter(({ said }) => said !== '' && decimalOf(said) === undefined);
}

/** The first and last day, if they are days. */
function valuesOf(
  question: LimeQuestion,
  { type }: Property,
): [min: string | undefined, max: string | undefined] {
  const value = (name: string) => {
    const said = attribute(question, name);
    return /^\d{4}-\d\d-\d\d$/.test(said) ? said : undefined;
  };
  return type === 'date' ? [value('date_min'), value('date_max')] : [undefined, undefined];
}

function dateLimits(
  question: LimeQuestion,
  block: Property,
  self: Asked,
): { test: Test | null; said: string }[] {
  if (block.type !== 'date') return [];
  const limits = [
    { name: 'date_min', how: '>=' },
    { name: 'date_max', how: '<=' },
  ] as const;
  return limits.flatMap(({ name, how }) => {
    const said = attribute(question, name).trim();
    // A year alone is its first or its last day.
    const day = /^\d{4}$/.test(said) ? `${said}${how === '>=' ? '-01-01' : '-12-31'}` : said;
    if (said === '') return [];
    if (TODAY.test(said)) return [{ test: compareToday(self, how), said }];
    const isDay = /^\d{4}-\d\d-\d\d$/.test(day);
    const [min, max] = how === '>=' ? [day, undefined] : [undefined, day];
    return [{ test: isDay ? limitTest(self, min, max) : null, said }];
  });
}
