import { namedAnswers } from '../../fields/formulas/named-answers.ts';
import { variableProblems } from '../../fields/formulas/variables.ts';
import type { Property } from '../../fields/property.ts';
import type { Calculation } from './fields.ts';
import { type FormulaNames, namedIn } from './formula-names.ts';

/**
 * Problems of formulas as the service would find them, but with names.
 * @param blocks the published ones, since the service knows no others
 * @returns problems by calculation id; none for an empty formula
 */
export function formulaProblems(
  calculations: readonly Calculation[],
  blocks: readonly Property[],
  names: FormulaNames,
): Map<string, string> {
  const named = calculations.map(({ id, name, formula }) => ({
    id: names.labelOf(id),
    name,
    formula: names.toNames(formula),
  }));
  const problems = variableProblems(named, new Set(namedAnswers(blocks).map(({ id }) => names.labelOf(id))));
  return new Map(
    calculations.flatMap(({ id, formula }, index) => {
      const problem = problems[index];
      return problem && formula.trim() !== '' ? [[id, plainWords(problem)] as const] : [];
    }),
  );
}

/** The service's message about a formula, with names. */
export function plainWords(problem: string): string {
  const [, missing] = /^The formula names \{(.*)\}, which/s.exec(problem) ?? [];
  if (missing !== undefined)
    return missing.trim() === ''
      ? 'Write the name of a question or a calculation between the braces.'
      : `The published form has no question “${missing}”, and there is no calculation of that name.`;
  if (problem.startsWith('The formula stands in itself'))
    return 'It leads back to itself: it counts with itself, or with a calculation that does.';
  if (/^More than \d+ formulas/.test(problem))
    return 'Too many calculations count with one another in a row.';
  return problem;
}

/** The calculations that use this one, directly or indirectly, and itself. */
export function leadingTo(id: string, calculations: readonly Calculation[]): Set<string> {
  const found = new Set([id]);
  for (const target of found)
    for (const { id: other, formula } of calculations) if (namedIn(formula).has(target)) found.add(other);
  return found;
}
