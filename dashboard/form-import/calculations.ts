import type { Find } from './expression-conditions.ts';
import { formulaOf } from './expression-formulas.ts';
import { type Dialect, parseExpression } from './expressions.ts';
import type { Maker } from './maker.ts';

/** A calculation of the other product. */
export interface Calculated {
  /** Its name in expressions. */
  source: string;
  name: string;
  text: string;
}

/**
 * Makes calculations, which may refer to each other in any order; notes those that cannot be expressed here.
 * @param find finds what expressions refer to, if it has other names there
 */
export function calculateAll(
  maker: Maker,
  calculations: readonly Calculated[],
  dialect: Dialect,
  find: Find = maker.find,
): void {
  let left = calculations.map((one) => ({ ...one, expression: parseExpression(one.text, dialect) }));
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    left = left.filter(({ source, name, expression }) => {
      const formula = expression && formulaOf(expression, find);
      if (formula !== null) maker.calculate(source, name, formula);
      return formula === null;
    });
  }
  for (const { name, text } of left)
    maker.note(name, `The calculation is left out: ${text || 'it is empty'}`);
}
