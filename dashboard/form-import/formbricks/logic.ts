import type { JsonObject } from '../../../fields/property.ts';
import { ALWAYS, combined, negated, type Test } from '../boolean-tests.ts';
import { type Comparison, compare, isAnswered } from '../conditions.ts';
import { listOf, objectOf, objectsOf, tableOf, textOf } from '../json.ts';
import type { Jump } from '../jumps.ts';
import type { Asked, Maker } from '../maker.ts';

const COMPARISONS = tableOf<readonly [how: Comparison, isNegated: boolean]>({
  equals: ['=', false],
  doesNotEqual: ['=', true],
  contains: ['contains', false],
  doesNotContain: ['contains', true],
  startsWith: ['starts', false],
  doesNotStartWith: ['starts', true],
  endsWith: ['ends', false],
  doesNotEndWith: ['ends', true],
  isGreaterThan: ['>', false],
  isLessThan: ['<', false],
  isGreaterThanOrEqual: ['>=', false],
  isLessThanOrEqual: ['<=', false],
  isBefore: ['<', false],
  isAfter: ['>', false],
});

const REQUIRES = 'Its logic requires another answer: that is left out.';
const CALCULATES = 'Its logic calculates: that is left out.';

interface Places {
  placeOf: ReadonlyMap<string, number>;
  /** Ids of endings. */
  endings: ReadonlySet<string>;
  /** The place after the last question. */
  end: number;
}

/** The targets of the logic of questions, or of blocks of questions. */
export function formbricksJumps(
  groups: readonly JsonObject[],
  places: Places,
  maker: Maker,
): Map<number, Jump[]> {
  const jumps = new Map<number, Jump[]>();
  groups.forEach((group, from) => {
    const ways = waysFrom(group, places, maker);
    if (ways.length > 0) jumps.set(from, ways);
  });
  return jumps;
}

/** The jumps from a question; other actions of its logic are noted. */
function waysFrom(group: JsonObject, { placeOf, endings, end }: Places, maker: Maker): Jump[] {
  const to = (target: string) =>
    endings.has(target) ? { to: end, ending: target } : { to: placeOf.get(target) ?? null };
  const ways: Jump[] = [];
  for (const { conditions, actions } of objectsOf(group.logic))
    for (const { objective, target } of objectsOf(actions)) {
      if (objective === 'jumpToQuestion' || objective === 'jumpToBlock')
        ways.push({ when: testOf(objectOf(conditions), maker), ...to(textOf(target)) });
      else maker.note(nameOf(group, maker), objective === 'requireAnswer' ? REQUIRES : CALCULATES);
    }
  if (textOf(group.logicFallback) !== '') ways.push({ when: ALWAYS, ...to(textOf(group.logicFallback)) });
  return ways;
}

function nameOf(group: JsonObject, maker: Maker): string {
  const [element] = objectsOf(group.elements);
  return maker.find(textOf(element?.id))?.block.name ?? '';
}

function testOf(node: JsonObject, maker: Maker): Test | null {
  if (Array.isArray(node.conditions))
    return combined(
      node.connector === 'or' ? 'any' : 'all',
      objectsOf(node.conditions).map((one) => testOf(one, maker)),
    );
  const left = objectOf(node.leftOperand);
  const right = objectOf(node.rightOperand);
  const asked = left.type === 'variable' ? undefined : maker.find(textOf(left.value));
  if (!asked || (node.rightOperand !== undefined && right.type !== 'static')) return null;
  return testAbout(asked, textOf(node.operator), right.value);
}

function testAbout(asked: Asked, operator: string, value: unknown): Test | null {
  if (operator === 'isSubmitted' || operator === 'isAccepted') return isAnswered(asked);
  if (operator === 'isSkipped') return negated(isAnswered(asked));
  const isList = asked.block.type === 'multi_select';
  const one = (wanted: unknown) => compare(asked, isList ? 'contains' : '=', textOf(wanted));
  if (operator === 'equalsOneOf' || operator === 'includesOneOf')
    return combined('any', listOf(value).map(one));
  if (operator === 'includesAllOf') return combined('all', listOf(value).map(one));
  const [how, isNegated] = COMPARISONS[operator] ?? [];
  if (how === undefined || Array.isArray(value)) return null;
  const node = compare(asked, isList && how === '=' ? 'contains' : how, textOf(value));
  return isNegated ? negated(node) : node;
}
