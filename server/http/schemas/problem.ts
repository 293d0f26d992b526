import Type, { type TProperties } from 'typebox';

/**
 * An answer other than success. Only needed in a `response` schema if it does not follow from the route's path and access (see
 * `completeOperations`).
 * @param description what the status means here
 * @param members beside `message`
 */
export function Problem<Members extends TProperties>(description: string, members = {} as Members) {
  return Type.Object({ message: Type.String(), ...members }, { additionalProperties: true, description });
}

/** Like `Problem`, for public endpoints: `error` is a stable word for programs. */
export function Refusal(description: string) {
  return Type.Object({ message: Type.String(), error: Type.String() }, { description });
}
