import type { CompiledAnswers } from '../compile-answers.ts';
import { MAX_PATTERN_STEPS, type PatternSteps } from '../engines/patterns.ts';
import type { AnswerCheck } from '../field-type.ts';
import { type FormulaSteps, MAX_FORMULA_STEPS } from '../formulas/variables.ts';
import type { JsonValue } from '../property.ts';
import type { Operator } from './operators.ts';

/**
 * Judging or showing a form evaluates many conditions, some of them repeatedly. Conditions evaluated together share one limit of
 * effort, so that it ends whoever made the form. Only the service needs this: a page uses only its visitor's time.
 */
interface SharedWork {
  patternSteps: PatternSteps;
  formulaSteps: FormulaSteps;
  /** The last result of each condition on a long answer; null before the first. */
  asked: Map<Operator, { answer: JsonValue; wanted: JsonValue | undefined; isMet: boolean }> | null;
  /** The last result of each field's check; null if each answer is checked only once. */
  checked: Map<AnswerCheck, { answer: JsonValue; value: JsonValue; problems: string[] }> | null;
}

/** Characters or list members; looking through longer answers costs more than remembering the result. */
const LONG = 100;

/** Nothing here is asynchronous, so only one is under way at a time. */
let underWay: SharedWork | null = null;

/**
 * Runs a function whose conditions share the limits. Calls within it share the same ones.
 * @param checksAgain the function checks answers repeatedly, each time after one more of them is dropped
 */
export function askTogether<Result>(ask: () => Result, checksAgain = false): Result {
  if (underWay !== null) return ask();
  const checked = checksAgain ? new Map() : null;
  underWay = {
    patternSteps: { left: MAX_PATTERN_STEPS },
    formulaSteps: { left: MAX_FORMULA_STEPS },
    asked: null,
    checked,
  };
  try {
    return ask();
  } finally {
    underWay = null;
  }
}

/** Steps left for patterns; undefined outside `askTogether`. */
export function patternSteps(): PatternSteps | undefined {
  return underWay?.patternSteps;
}

/** Steps left for formulas; undefined outside `askTogether`. */
export function formulaSteps(): FormulaSteps | undefined {
  return underWay?.formulaSteps;
}

/** Makes checks and shows of these rules share their limits and results. */
export function sharingWork(rules: CompiledAnswers): CompiledAnswers {
  for (const field of rules.fields) field.checkAnswer = rememberingCheck(field.checkAnswer);
  return {
    ...rules,
    check: (sent, options) => askTogether(() => rules.check(sent, options)),
    show: (sent, moment) => askTogether(() => rules.show(sent, moment), true),
  };
}

/** Wraps one condition's operator so that it remembers its last result on a long answer. */
export function remembering(operator: Operator): Operator {
  const own: Operator = (answer, wanted, context) => {
    if (underWay === null || !isLong(answer)) return operator(answer, wanted, context);
    const known = underWay.asked?.get(own);
    if (known !== undefined && known.answer === answer && known.wanted === wanted) return known.isMet;
    const isMet = operator(answer, wanted, context);
    underWay.asked ??= new Map();
    underWay.asked.set(own, { answer, wanted, isMet });
    return isMet;
  };
  return own;
}

function rememberingCheck(check: AnswerCheck): AnswerCheck {
  const own: AnswerCheck = (answer, report, now, findFile) => {
    const checked = underWay?.checked;
    if (!checked) return check(answer, report, now, findFile);
    const known = checked.get(own);
    if (known?.answer === answer) {
      known.problems.forEach(report);
      return known.value;
    }
    const problems: string[] = [];
    const note = (problem: string) => {
      problems.push(problem);
      report(problem);
    };
    const value = check(answer, note, now, findFile);
    checked.set(own, { answer, value, problems });
    return value;
  };
  return own;
}

function isLong(answer: JsonValue | undefined): answer is string | JsonValue[] {
  return (typeof answer === 'string' || Array.isArray(answer)) && answer.length > LONG;
}
