import { fieldTypeOf } from '../../../fields/field-types.ts';
import { COMMON_OPERATORS } from '../../../fields/logic/operators.ts';
import { RARE_OPERATORS } from '../../../fields/logic/rare-operators.ts';
import type { Property } from '../../../fields/property.ts';
import { questionsOf } from '../../../fields/repeated-questions.ts';

/** Parts of the rules that only some forms need; see browser/engines.ts. */
export type ScriptNeed = 'rare' | 'phone' | 'rich' | 'patterns' | 'formulas' | 'numbers';

/** Types whose rules every page has. */
export const COMMON_TYPES: readonly string[] = [
  ...['text', 'checkbox', 'date', 'email', 'multi_select', 'number', 'rating', 'select'],
  // Any answer is valid for these.
  ...['payment', 'computed', 'unknown'],
];

/** The parts beyond the common ones that a page needs to check the answers of these blocks, which are as it gets them. */
export function needsOf(blocks: readonly Property[]): ScriptNeed[] {
  const properties = blocks.flatMap((block) => [block, ...questionsOf(block)]);
  const types = new Set(properties.map(({ type }) => fieldTypeOf(type).name));
  const json = JSON.stringify(properties);
  const isRareType = (type: string) => !type.startsWith('nf-') && !COMMON_TYPES.includes(type);
  const needs: ScriptNeed[] = [];
  const hasRareText = /"input_mask":"|mention-field-id/.test(json);
  const rulesOut = properties.some(({ exclusive }) => exclusive !== undefined);
  if (hasRareText || rulesOut || [...types].some(isRareType) || asksRarely(properties)) needs.push('rare');
  if (types.has('phone_number')) needs.push('phone');
  if (types.has('rich_text')) needs.push('rich');
  if (json.includes('_regex"')) needs.push('patterns');
  return needs;
}

/** Whether conditions use rare operators, or common ones in a rare sense. */
function asksRarely(properties: readonly Property[]): boolean {
  const typesById = new Map(properties.map(({ id, type }) => [id, fieldTypeOf(type).name]));
  let isRare = false;
  JSON.stringify(properties, (_, node) => {
    const operator = node?.value?.operator;
    if (operator) {
      const { id, type } = node.value.property_meta ?? {};
      const known = typesById.get(node.identifier || id) ?? fieldTypeOf(String(type)).name;
      isRare ||= !COMMON_OPERATORS.general.has(operator) || RARE_OPERATORS.byType.has(known);
    }
    return node;
  });
  return isRare;
}
