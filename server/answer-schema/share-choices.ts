import type { AnswerSchema } from '../../fields/answer-schema.ts';

/** Characters of a list of names, as JSON. A longer one stands once, as each row of a matrix has all columns. */
const LONG = 300;

/** Moves long lists of names into schemas of their own, `Choices1` and so on, after those that are given. */
export function shareChoices(schemas: Record<string, AnswerSchema>): Record<string, AnswerSchema> {
  const names = new Map<string, string>();
  const shared: Record<string, AnswerSchema> = {};
  /** Of the lists themselves, as all rows of a matrix have the same one. */
  const nameOf = remembered((list: readonly string[]) => {
    const key = JSON.stringify(list);
    if (key.length <= LONG) return null;
    const name = names.get(key) ?? `Choices${names.size + 1}`;
    names.set(key, name);
    shared[name] = { enum: list };
    return name;
  });

  function share(schema: AnswerSchema): AnswerSchema {
    const { enum: list, anyOf, items, properties, ...rest } = schema;
    const name = list && nameOf(list);
    if (name) return { ...rest, $ref: `#/$defs/${name}` };
    return {
      ...schema,
      // Beside other texts the names are suggestions, once for each field.
      ...(anyOf && { anyOf: anyOf.map((part) => (part.enum ? part : share(part))) }),
      ...(items && { items: share(items) }),
      ...(properties && { properties: shareEach(properties) }),
    };
  }

  function shareEach(properties: Record<string, AnswerSchema>): Record<string, AnswerSchema> {
    return Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, share(schema)]));
  }

  return { ...shareEach(schemas), ...shared };
}

function remembered<Key extends object, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const found = new Map<Key, Value>();
  return (key) => {
    if (!found.has(key)) found.set(key, find(key));
    return found.get(key) as Value;
  };
}
