import Type from 'typebox';

/**
 * An answer other than success, for the `response` of routes that give one which their place and access do not tell of.
 * @param description what it means here; without one it means what the same status means everywhere
 */
export function Problem(description?: string) {
  const options = { additionalProperties: true, ...(description !== undefined && { description }) };
  return Type.Object({ message: Type.String() }, options);
}

/** The same of the public endpoints: `error` is a word that stays. */
export function Refusal(description: string) {
  return Type.Object({ message: Type.String(), error: Type.String() }, { description });
}
