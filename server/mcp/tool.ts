import type { Static, TObject } from 'typebox';
import Type from 'typebox';
import type { Ability } from '../access/abilities.ts';
import type { Api } from './api.ts';

/** The effect of a call, so that clients can ask their user: `sends` goes out to other services. */
type Effect = 'reads' | 'adds' | 'changes' | 'sends';

export interface Tool {
  name: string;
  /** For people. */
  title: string;
  /** For the model. */
  description: string;
  /** Tokens without it do not see the tool. The API decides when it is called. */
  ability: Ability;
  effect: Effect;
  /** Whether the result holds text by respondents, visitors or other services. */
  holdsForeignText: boolean;
  input: TObject;
  run(api: Api, input: never): Promise<unknown>;
}

type Definition<Input extends TObject> = Omit<Tool, 'holdsForeignText' | 'input' | 'run'> & {
  holdsForeignText?: boolean;
  input: Input;
  run(api: Api, input: Static<Input>): Promise<unknown>;
};

export function tool<Input extends TObject>(definition: Definition<Input>): Tool {
  return {
    holdsForeignText: false,
    ...definition,
    input: { ...definition.input, additionalProperties: false },
  };
}

/** Names a form. */
export const FormName = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  // One segment of a path, and never `..`.
  pattern: '^[A-Za-z0-9-]{1,255}$',
  description: 'The form: its numeric id, its slug (the last part of its address) or its UUID.',
});

export const PositiveId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export function limitUpTo(maximum: number, byDefault: number) {
  return Type.Integer({ minimum: 1, maximum, default: byDefault });
}
