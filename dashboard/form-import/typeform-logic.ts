import type { JsonObject } from '../../fields/property.ts';
import { ALWAYS, combined, negated, type Test } from './boolean-tests.ts';
import { type Comparison, compare, isAnswered } from './conditions.ts';
import { objectOf, objectsOf, tableOf, textOf } from './json.ts';
import type { Jump } from './jumps.ts';
import type { Maker } from './maker.ts';

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
  const calculated = new Set(Object.keys(objectOf(source.variables)));
  for (const { ref, actions } of objectsOf(source.logic)) {
    const from = lastOf.get(textOf(ref));
    const ways: Jump[] = [];
    for (const { action, details, condition } of objectsOf(actions)) {
      const { to, target } = objectOf(details);
      if (action !== 'jump') {
        const name = textOf(objectOf(target).value);
        if (name !== '') calculated.add(name);
        continue;
      }
      const { type, value } = objectOf(to);
      const place = type === 'thankyou' ? end : placeOf.get(textOf(value));
      ways.push({ when: testOf(objectOf(condition), maker), to: place ?? null });
    }
    if (from !== undefined && ways.length > 0) jumps.set(from, ways);
    else if (ways.length > 0)
      notes.push('Some logic jumps begin where there is no question: they are left out.');
  }
  if (calculated.size > 0)
    notes.push(
      `Variables (${[...calculated].join(', ')}) are left out. Settings → Calculations can work out scores and prices.`,
    );
  return { jumps, notes };
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
