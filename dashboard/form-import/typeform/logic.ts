import type { JsonObject } from '../../../fields/property.ts';
import { ALWAYS, combined, negated, type Test } from '../boolean-tests.ts';
import { type Comparison, compare, isAnswered } from '../conditions.ts';
import { objectOf, objectsOf, tableOf, textOf } from '../json.ts';
import type { Jump } from '../jumps.ts';
import type { Maker } from '../maker.ts';

const COMPARISONS = tableOf<readonly [how: Comparison, isNegated: boolean]>({
  is: ['=', false],
  equal: ['=', false],
  on: ['=', false],
  is_not: ['=', true],
  not_equal: ['=', true],
  not_on: ['=', true],
  contains: ['contains', false],
  not_contains: ['contains', true],
  begins_with: ['starts', false],
  ends_with: ['ends', false],
  lower_than: ['<', false],
  earlier_than: ['<', false],
  lower_equal_than: ['<=', false],
  earlier_than_or_on: ['<=', false],
  greater_than: ['>', false],
  later_than: ['>', false],
  greater_equal_than: ['>=', false],
  later_than_or_on: ['>=', false],
});

interface Places {
  placeOf: ReadonlyMap<string, number>;
  lastOf: ReadonlyMap<string, number>;
  /** The place after the last block. */
  end: number;
}

/** The logic jumps of a form, by the places they start from. */
export function jumpsOf(source: JsonObject, maker: Maker, { placeOf, lastOf, end }: Places) {
  const jumps = new Map<number, Jump[]>();
  const notes: string[] = [];
  for (const { ref, actions } of objectsOf(source.logic)) {
    const from = lastOf.get(textOf(ref));
    const ways = objectsOf(actions).filter(isJump).map(wayOf);
    if (ways.length === 0) continue;
    if (from !== undefined) jumps.set(from, ways);
    else notes.push('Some logic jumps begin where there is no question: they are left out.');
  }
  const calculated = calculatedIn(source);
  if (calculated.length > 0)
    notes.push(
      `Variables (${calculated.join(', ')}) are left out. Settings → Calculations can work out scores and prices.`,
    );
  return { jumps, notes };

  function wayOf({ details, condition }: JsonObject): Jump {
    const { type, value } = objectOf(objectOf(details).to);
    const when = testOf(objectOf(condition), maker);
    if (type === 'thankyou') return { when, to: end, ending: textOf(value) };
    return { when, to: placeOf.get(textOf(value)) ?? null };
  }
}

function isJump({ action }: JsonObject): boolean {
  return action === 'jump';
}

/** The names of variables, which other actions than jumps change. */
function calculatedIn({ variables, logic }: JsonObject): string[] {
  const actions = objectsOf(logic).flatMap((one) => objectsOf(one.actions));
  const changed = actions
    .filter((one) => !isJump(one))
    .map(({ details }) => textOf(objectOf(objectOf(details).target).value));
  return [...new Set([...Object.keys(objectOf(variables)), ...changed.filter(Boolean)])];
}

function testOf({ op, vars }: JsonObject, maker: Maker): Test | null {
  const parts = objectsOf(vars);
  if (op === 'always') return ALWAYS;
  if (op === 'and' || op === 'or')
    return combined(
      op === 'and' ? 'all' : 'any',
      parts.map((part) => testOf(part, maker)),
    );
  const subject = parts.find(({ type }) => type === 'field' || type === 'hidden');
  const value = parts.find(({ type }) => type === 'choice' || type === 'constant')?.value;
  const asked = maker.find(textOf(subject?.value));
  if (!asked) return null;
  if (op === 'is_empty') return negated(isAnswered(asked));
  if (op === 'is_not_empty') return isAnswered(asked);
  const [how, isNegated] = COMPARISONS[textOf(op)] ?? [];
  if (how === undefined) return null;
  const wanted = typeof value === 'boolean' || typeof value === 'number' ? value : textOf(value);
  const isOneOfSeveral = how === '=' && asked.block.type === 'multi_select';
  const node = compare(asked, isOneOfSeveral ? 'contains' : how, wanted);
  return isNegated ? negated(node) : node;
}
