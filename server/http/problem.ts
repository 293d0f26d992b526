import Type from 'typebox';

/**
 * An answer other than success. Only needed in a `response` schema if it does not follow from the route's path and access (see
 * `completeOperations`).
 * @param description what the status means here
 */
export function Problem(description: string) {
  return Type.Object({ message: Type.String() }, { additionalProperties: true, description });
}

/** Like `Problem`, for public endpoints: `error` is a stable word for programs. */
export function Refusal(description: string) {
  return Type.Object({ message: Type.String(), error: Type.String() }, { description });
}
