import Type from 'typebox';

/** The answer of an action: a message that says what happened, mostly with the resource it happened to. */
export const Success = Type.Object({ type: Type.Literal('success'), message: Type.String() });

export function success<Members extends object>(message: string, members?: Members) {
  return { type: 'success' as const, message, ...(members ?? ({} as Members)) };
}
