import { renamedIn } from '../choices/renamed-options.ts';
import { isJsonObject, type JsonValue, type Property } from '../property.ts';
import { conditionFieldId } from './logic.ts';

/**
 * How conditions that are kept outside of a form's blocks change when those are saved: they ask for the new names of renamed options.
 * @returns null when no option was renamed
 */
export function followingConditions(
  before: readonly Property[],
  after: readonly Property[],
): ((conditions: JsonValue) => JsonValue) | null {
  const renamed = renamedIn(before, after);
  if (renamed.length === 0) return null;
  const nameIn = (propertyId: string | undefined, name: JsonValue): JsonValue =>
    renamed.find(({ id }) => id === propertyId)?.followed.find(([from]) => from === name)?.[1] ?? name;
  return function follow(node): JsonValue {
    if (!isJsonObject(node)) return node;
    if (Array.isArray(node.children)) return { ...node, children: node.children.map(follow) };
    const { value: asked } = node;
    if (!isJsonObject(asked) || asked.value === undefined) return node;
    const { value, property_meta: meta } = asked;
    const id = conditionFieldId(node, isJsonObject(meta) ? meta : {});
    const wanted = Array.isArray(value) ? value.map((name) => nameIn(id, name)) : nameIn(id, value);
    return { ...node, value: { ...asked, value: wanted } };
  };
}
