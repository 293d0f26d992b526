import { isDeepStrictEqual } from 'node:util';
import { countConditions, withPatternLimit } from '../../../fields/check-properties.ts';
import { checkConditions } from '../../../fields/logic/check-logic.ts';
import { type Ending, type NewEnding, NO_ENDING } from '../../../fields/logic/endings.ts';
import { hasConditions } from '../../../fields/logic/logic.ts';
import type { Property } from '../../../fields/property.ts';
import { serverEngines } from '../../../fields/server-engines.ts';

/** Comparisons in the conditions of all endings of a form, and patterns among them. */
const MAX_CONDITIONS = 500;
const MAX_PATTERNS = 20;

/**
 * Problems of endings that fit their schema, as pairs of key and message.
 * @param properties of the form, which may be about to be saved with the endings
 * @param stored may be sent back as they were read, even if a question that they ask for is gone
 */
export function endingProblems(
  endings: readonly NewEnding[],
  properties: readonly Property[],
  stored: readonly Ending[],
): [key: string, message: string][] {
  if (countConditions(endings) > MAX_CONDITIONS)
    return [['endings', `The endings may not have more than ${MAX_CONDITIONS} conditions together.`]];
  const engines = withPatternLimit(serverEngines, MAX_PATTERNS);
  const ids = new Set<string>();
  return endings.flatMap(({ id, name, conditions }, index) => {
    const problems: [string, string][] = [];
    const refuse = (key: string, message: string) => problems.push([`endings.${index}.${key}`, message]);
    if (id !== undefined && ids.has(id)) refuse('id', 'The id has already been taken.');
    if (id !== undefined) ids.add(id);
    const known = stored.find((ending) => ending.id === id);
    if (id === NO_ENDING && !known)
      refuse('id', `The id may not be ${NO_ENDING}: filters mean submissions without an ending by it.`);
    if (!hasConditions(conditions)) refuse('conditions', 'The conditions field is required.');
    else if (!known || !isDeepStrictEqual(known.conditions, conditions)) {
      const details = checkConditions(conditions, properties, engines);
      if (details.length > 0)
        refuse(
          'conditions',
          `The conditions for ${name} are not complete. Error detail(s): ${details.join(', ')}`,
        );
    }
    return problems;
  });
}
