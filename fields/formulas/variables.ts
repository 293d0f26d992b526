import type { Answers, JsonValue } from '../property.ts';
import { type ParsedFormula, parseFormula } from './parse.ts';
import {
  effortOf,
  FormulaError,
  isBlankValue,
  namedAnswer,
  numberOf,
  type Value,
  valueOfAnswer,
  writtenAs,
} from './values.ts';

/** A variable of a form, as in `computed_variables`. */
export interface ComputedVariable {
  /** Begins with `cv_`. */
  id: string;
  name: string;
  formula: string;
  /** `number`, `text`, or the type of the value by default. */
  result_type?: string | undefined;
}

/**
 * The values of a form's variables, by their ids; null if a formula has no value.
 * @param onFailure told when that is because of an error, and not of answers that are missing
 */
export type ComputedValues = ReadonlyMap<
  string,
  (answers: Answers, onFailure?: () => void) => number | string | null
>;

/**
 * Steps that formulas may still take: operators, functions, fields, and what these look through, each time they are evaluated.
 */
export interface FormulaSteps {
  left: number;
}

/** Limit for one variable alone, or for all that are evaluated together: some 20 ms. */
export const MAX_FORMULA_STEPS = 100_000;
/** Longest chain of variables that refer to each other. */
const MAX_CHAIN = 20;

/** A variable whose formula can be parsed. */
type Readable = ComputedVariable & ParsedFormula;

/**
 * Compiles the variables of a form. One that cannot be parsed, or refers to itself, has no value.
 * @param stepsLeft steps left for variables evaluated together; undefined for one evaluated alone
 */
export function compileVariables(
  variables: readonly ComputedVariable[],
  stepsLeft: () => FormulaSteps | undefined = () => undefined,
): ComputedValues {
  const readable = new Map(
    variables.flatMap((variable) => {
      const parsed = readableOrNull(variable);
      return parsed ? [[variable.id, parsed] as const] : [];
    }),
  );
  return new Map(
    variables.map(({ id }) => [
      id,
      (answers, onFailure) => {
        const steps = stepsLeft() ?? { left: MAX_FORMULA_STEPS };
        const value = readable.has(id)
          ? attempt(() => workOn(readable, answers, steps).value(id))
          : new FormulaError('no formula');
        if (value instanceof FormulaError) onFailure?.();
        return answerOf(value);
      },
    ]),
  );
}

/** Each variable is evaluated once, however many others name it. */
function workOn(readable: ReadonlyMap<string, Readable>, answers: Answers, steps: FormulaSteps) {
  const known = new Map<string, Value | FormulaError>();
  const underWay = new Set<string>();
  const work = {
    step: () => spend(1),
    look: (through: Value) => spend(effortOf(through)),
    value(id: string): Value {
      const variable = readable.get(id);
      if (!variable) return read(namedAnswer(answers, id));
      const value = workedOut(id, variable);
      if (value instanceof FormulaError) throw value;
      return value;
    },
  };

  function workedOut(id: string, variable: Readable): Value | FormulaError {
    const value = known.get(id);
    return value === undefined ? workOut(id, variable) : value;
  }

  function spend(effort: number): void {
    steps.left -= effort;
    if (steps.left < 0) throw new FormulaError('too much work');
  }

  /** A list is read by member, and a matrix becomes text, so both cost steps. */
  function read(answer: JsonValue | undefined): Value {
    const value = valueOfAnswer(answer);
    if (typeof answer === 'object') spend(effortOf(value, Number.POSITIVE_INFINITY));
    return value;
  }

  function workOut(id: string, { evaluate, references, result_type: type }: Readable): Value | FormulaError {
    if (underWay.has(id) || underWay.size >= MAX_CHAIN) return new FormulaError('a circle');
    underWay.add(id);
    // Evaluated before the formula itself: nested evaluation of a chain would overflow the stack.
    for (const other of references) {
      const inner = readable.get(other);
      if (inner) workedOut(other, inner);
    }
    const value = attempt(() => asType(evaluate(work), type));
    underWay.delete(id);
    known.set(id, value);
    return value;
  }

  return work;
}

function asType(value: Value, type: string | undefined): Value {
  if (type === 'number') return isBlankValue(value) ? null : numberOf(value);
  return type === 'text' ? writtenAs(value) : value;
}

function answerOf(value: Value | FormulaError): number | string | null {
  if (value instanceof FormulaError || value === null) return null;
  return typeof value === 'number' ? value : writtenAs(value);
}

function attempt(work: () => Value): Value | FormulaError {
  try {
    return work();
  } catch (error) {
    if (error instanceof FormulaError) return error;
    throw error;
  }
}

function readableOrNull(variable: ComputedVariable): Readable | null {
  try {
    return { ...variable, ...parseFormula(variable.formula) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Problems with the variables of a form to be saved.
 * @param fieldIds of the form's blocks, and of what else a formula may name, see `namedAnswers`
 * @returns the first problem of each variable, in their order; null if there are none
 */
export function variableProblems(
  variables: readonly ComputedVariable[],
  fieldIds: ReadonlySet<string>,
): (string | null)[] {
  const references = new Map<string, ReadonlySet<string>>();
  const problems = variables.map(({ id, formula }) => {
    try {
      references.set(id, parseFormula(formula).references);
      return null;
    } catch (error) {
      if (error instanceof SyntaxError) return `The formula cannot be read: ${error.message}.`;
      throw error;
    }
  });
  const ids = new Set(variables.map(({ id }) => id));
  const chains = chainLengths(references);
  return variables.map(({ id }, index) => {
    const missing = [...(references.get(id) ?? [])].find((named) => !fieldIds.has(named) && !ids.has(named));
    if (missing !== undefined) return `The formula names {${missing}}, which the form does not have.`;
    const length = chains.get(id) ?? 0;
    if (length === Number.POSITIVE_INFINITY)
      return 'The formula stands in itself, by way of others or at once.';
    if (length > MAX_CHAIN) return `More than ${MAX_CHAIN} formulas stand in one another.`;
    return problems[index] ?? null;
  });
}

/** Length of the longest chain that begins with each variable, itself included; infinite if it leads to a circle. */
function chainLengths(references: ReadonlyMap<string, ReadonlySet<string>>): Map<string, number> {
  const lengths = new Map<string, number>();
  const lengthOf = (id: string, named: ReadonlySet<string>): number => {
    const known = lengths.get(id);
    if (known !== undefined) return known;
    // Set while the variable is being followed: meeting it again means a circle.
    lengths.set(id, Number.POSITIVE_INFINITY);
    let longest = 0;
    for (const other of named) {
      const inner = references.get(other);
      if (inner) longest = Math.max(longest, lengthOf(other, inner));
    }
    lengths.set(id, 1 + longest);
    return 1 + longest;
  };
  for (const [id, named] of references) lengthOf(id, named);
  return lengths;
}
