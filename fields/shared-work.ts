import type { CompiledAnswers } from './compile-answers.ts';
import { MAX_PATTERN_STEPS, type PatternSteps } from './engines/patterns.ts';
import type { AnswerCheck } from './field-type.ts';
import { type FormulaSteps, MAX_FORMULA_STEPS } from './formulas/variables.ts';
import type { Operator } from './operators.ts';
import type { JsonValue } from './property.ts';

/**
 * To judge or to show a form is to ask many conditions, some of them again and again. What is asked together shares what it
 * costs, so that this has an end, whoever made the form. Only the service needs it: a page spends the time of its visitor.
 */
interface SharedWork {
  patternSteps: PatternSteps;
  formulaSteps: FormulaSteps;
  /** What a condition said of a long answer when it was asked last; null before the first. */
  asked: Map<Operator, { answer: JsonValue; wanted: JsonValue | undefined; isMet: boolean }> | null;
  /** What a field made of its answer; null where each is checked once. */
  checked: Map<AnswerCheck, { answer: JsonValue; value: JsonValue; problems: string[] }> | null;
}

/** Characters, or members of a list: to look through more costs more than to remember what was found. */
const LONG = 100;

/** Nothing here waits, so one thing at a time is under way. */
let underWay: SharedWork | null = null;

/**
 * Runs what asks conditions together. What it asks within counts as the same.
 * @param checksAgain it has answers checked as often as one more of them turns out not to count
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

/** What patterns may still cost; undefined for one that is asked alone. */
export function patternSteps(): PatternSteps | undefined {
  return underWay?.patternSteps;
}

/** And formulas. */
export function formulaSteps(): FormulaSteps | undefined {
  return underWay?.formulaSteps;
}

/** Has these rules ask together what they ask of the same answers. */
export function sharingWork(rules: CompiledAnswers): CompiledAnswers {
  for (const field of rules.fields) field.checkAnswer = rememberingCheck(field.checkAnswer);
  return {
    ...rules,
    check: (sent, options) => askTogether(() => rules.check(sent, options)),
    show: (sent, moment) => askTogether(() => rules.show(sent, moment), true),
  };
}

/** The operator of one condition, which says of a long answer what it has said already. */
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
