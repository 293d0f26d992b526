import type { ComputedValues } from '../../fields/formulas/variables.ts';
import { compileState, logicScope } from '../../fields/logic/logic.ts';
import type { Answers, Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';

/** Finds the blocks that the page shows to somebody with these answers. */
export function compileShown(
  properties: readonly Property[],
  variables: ComputedValues,
): (answers: Answers) => readonly Property[] {
  const scope = logicScope(properties, serverEngines, variables);
  const states = properties.map((property) => ({ property, stateFor: compileState(property, scope) }));
  return (answers) =>
    states.filter(({ stateFor }) => !stateFor(answers, {}).hidden).map(({ property }) => property);
}
