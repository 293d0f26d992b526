import Type from 'typebox';
import { Nullable } from '../http/schemas/nullable.ts';
import { RequiredText } from '../http/schemas/required-text.ts';
import { Success } from '../http/schemas/success.ts';
import { ABILITIES } from './abilities.ts';
import { MAX_EXPIRY_DAYS } from './issue-token.ts';

const NullableTime = Nullable(Type.String({ format: 'date-time' }));

export const TokenParams = Type.Object({ tokenId: Type.String() });

export const CreateTokenBody = Type.Object({
  name: RequiredText(255),
  abilities: Type.Array(Type.Enum(ABILITIES), { minItems: 1, maxItems: 100 }),
  expires_in_days: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: MAX_EXPIRY_DAYS }), Type.Null()], {
      description:
        'Days until the token expires; null = never. 365 when neither this nor `expires_at` is given.',
    }),
  ),
  expires_at: Type.Optional(
    Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
      description:
        'ISO 8601 time in the future; null or `never` = never. Not together with `expires_in_days`.',
    }),
  ),
});

const Token = {
  id: Type.Integer(),
  name: Type.String(),
  abilities: Type.Array(Type.String()),
  token_start: Type.String({ description: 'First characters, to recognise the token.' }),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: NullableTime,
  expires_at: NullableTime,
  status: Type.Enum(['active', 'expired', 'unused'], {
    description: '`unused`: not used for 365 days, and no longer valid.',
  }),
};

export const TokenList = Type.Array(Type.Object(Token));
export const TokenCreated = Type.Object({
  ...Success.properties,
  token: Type.String({ description: 'Shown only this once.' }),
  ...Token,
});
