import { isJsonObject, type JsonObject, type JsonValue, ownMember } from '../../fields/property.ts';

/**
 * Merges changes of several people to an object: own changes stay, everything else is as others left it.
 * @param base the object before both changes
 */
export function merged(base: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject {
  const next = new Map(Object.entries(theirs));
  for (const key of new Set([...Object.keys(base), ...Object.keys(mine)])) {
    const value = ownMember(mine, key);
    if (JSON.stringify(value) === JSON.stringify(ownMember(base, key))) continue;
    if (value === undefined) next.delete(key);
    else next.set(key, mergedValue(ownMember(base, key), value, ownMember(theirs, key)));
  }
  return Object.fromEntries(next);
}

function mergedValue(
  base: JsonValue | undefined,
  mine: JsonValue,
  theirs: JsonValue | undefined,
): JsonValue | undefined {
  if (!isJsonObject(mine) || !isJsonObject(theirs)) return mine;
  return merged(isJsonObject(base) ? base : {}, mine, theirs) as JsonValue;
}
