import { type Condition, isJsonObject, type JsonValue, type Property } from '../../fields/property.ts';

// Blocks refer to each other by id in their conditions and texts. Renaming anything updates these references.

/**
 * Copies blocks with new ids, also for repeated questions; references among them point to the copies.
 * @param newId called for the blocks first
 */
export function withNewIds(blocks: readonly Property[], newId: () => string): Property[] {
  const ids = new Map(blocks.map(({ id }) => [id, newId()]));
  return blocks.map((block) => ({
    ...(mapRules(block, (node) => mapIds(node, ids)) as Property),
    ...textsWithIds(block, ids),
    ...questionsWithIds(block, newId),
    id: ids.get(block.id) ?? block.id,
  }));
}

/** Changes what every condition about the field wants. */
export function changeValuesOn(
  blocks: readonly Property[],
  fieldId: string,
  change: (value: JsonValue) => JsonValue,
): Property[] {
  return changeConditionsOn(blocks, fieldId, (condition) => {
    const { value } = condition.value;
    const next = value === undefined ? value : change(value);
    if (next === undefined || next === value) return condition;
    return { ...condition, value: { ...condition.value, value: next } };
  });
}

/** Changes every condition about the field. */
export function changeConditionsOn(
  blocks: readonly Property[],
  fieldId: string,
  change: (condition: Condition) => Condition,
): Property[] {
  const walk = (node: JsonValue): JsonValue => {
    if (Array.isArray(node)) return mapSame(node, walk);
    if (!isJsonObject(node)) return node;
    if (node.identifier !== fieldId || !isJsonObject(node.value)) return mapMembers(node, walk);
    return change(node as unknown as Condition) as unknown as JsonValue;
  };
  return blocks.map((block) => mapRules(block, walk) as Property);
}

/** The ids that conditions anywhere in a tree refer to. */
export function idsIn(node: unknown): Set<string> {
  const found = new Set<string>();
  const walk = (part: unknown) => {
    if (typeof part === 'string') for (const id of mentionedIn(part)) found.add(id);
    if (typeof part !== 'object' || part === null) return;
    if (isJsonObject(part) && typeof part.identifier === 'string') found.add(part.identifier);
    Object.values(part).forEach(walk);
  };
  walk(node);
  return found;
}

function mentionedIn(text: string): string[] {
  return [...text.matchAll(/mention-field-id="([^"]+)"/g)].flatMap(([, id]) => id ?? []);
}

function mapRules(block: Property, change: (node: JsonValue) => JsonValue): Property {
  const { logic, validation } = block;
  const nextLogic = logic ? change(logic as unknown as JsonValue) : logic;
  const nextValidation = validation ? change(validation as unknown as JsonValue) : validation;
  if (nextLogic === logic && nextValidation === validation) return block;
  return { ...block, logic: nextLogic, validation: nextValidation } as Property;
}

function questionsWithIds({ questions }: Property, newId: () => string): Partial<Property> {
  if (!Array.isArray(questions)) return {};
  return {
    questions: questions.map((question) =>
      isJsonObject(question) ? { ...question, id: newId() } : question,
    ) as JsonValue[],
  };
}

/** The texts that may mention answers. */
function textsWithIds({ content, help }: Property, ids: ReadonlyMap<string, string>): Partial<Property> {
  return {
    ...(typeof content === 'string' && { content: mapIds(content, ids) }),
    ...(typeof help === 'string' && { help: mapIds(help, ids) }),
  };
}

function mapIds(node: JsonValue, ids: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(node)) return node.map((item) => mapIds(item, ids));
  if (typeof node === 'string') {
    return node.replace(/mention-field-id="([^"]*)"/g, (all, id: string) =>
      ids.has(id) ? `mention-field-id="${ids.get(id)}"` : all,
    );
  }
  if (!isJsonObject(node)) return node;
  const members = Object.entries(node).map(([key, value]) => {
    const isId = (key === 'identifier' || key === 'id') && typeof value === 'string';
    return [key, isId ? (ids.get(value) ?? value) : mapIds(value ?? null, ids)];
  });
  return Object.fromEntries(members) as JsonValue;
}

function mapSame(list: JsonValue[], change: (node: JsonValue) => JsonValue): JsonValue[] {
  const next = list.map(change);
  return next.some((item, index) => item !== list[index]) ? next : list;
}

function mapMembers(
  node: { [key: string]: JsonValue | undefined },
  change: (node: JsonValue) => JsonValue,
): JsonValue {
  let isSame = true;
  const entries = Object.entries(node).map(([key, value]) => {
    const next = value === undefined ? value : change(value);
    if (next !== value) isSame = false;
    return [key, next];
  });
  return (isSame ? node : Object.fromEntries(entries)) as JsonValue;
}
