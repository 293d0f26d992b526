import Type from 'typebox';
import { MAX_EXPIRY_DAYS } from '../access/issue-token.ts';
import { Problem } from '../http/schemas/problem.ts';
import { Success } from '../http/schemas/success.ts';
import { OFFERED } from './authorization-request.ts';

/** More than any program sends, and about as much as addresses can hold. */
const Parameter = Type.Optional(Type.String({ maxLength: 8_000 }));

/** The parameters of a request, by their names in the protocol. Code checks them, to answer in the protocol's terms. */
export const RequestQuery = Type.Object({
  response_type: Parameter,
  client_id: Parameter,
  redirect_uri: Parameter,
  code_challenge: Parameter,
  code_challenge_method: Parameter,
  scope: Parameter,
  state: Parameter,
  resource: Parameter,
});

export const Refused = Problem(
  'Usually with `error` and `error_description`, as the protocol defines them.',
  {
    error: Type.Optional(Type.String()),
    error_description: Type.Optional(Type.String()),
  },
);

export const ConsentQuestion = Type.Object({
  name: Type.String({ description: 'Name that the program gave itself, unverified.' }),
  place: Type.String({
    description:
      'Where the answer to the program goes: the host of an address, or the scheme of a program on the person’s own machine.',
  }),
  abilities: Type.Array(Type.Enum(OFFERED), { description: 'Abilities that the program asks for.' }),
  refusal_url: Type.String({ description: 'Leads back to the program and tells it of the refusal.' }),
});

export const ConsentBody = Type.Object({
  request: RequestQuery,
  abilities: Type.Array(Type.Enum(OFFERED), { minItems: 1, maxItems: OFFERED.length }),
  expires_in_days: Type.Union([Type.Integer({ minimum: 1, maximum: MAX_EXPIRY_DAYS }), Type.Null()], {
    description: 'Days until the token expires; null = never.',
  }),
});

export const ConsentGiven = Type.Object({
  ...Success.properties,
  return_url: Type.String({
    description: 'Leads back to the program with a code that it exchanges for its token.',
  }),
});

export const ClientRegistered = Type.Object({
  client_id: Type.String(),
  client_id_issued_at: Type.Integer({ description: 'Seconds since 1970.' }),
  client_name: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  token_endpoint_auth_method: Type.Literal('none'),
  grant_types: Type.Array(Type.Literal('authorization_code')),
  response_types: Type.Array(Type.Literal('code')),
});

export const TokenTaken = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Optional(Type.Integer({ description: 'Seconds; absent for a token that never expires.' })),
  scope: Type.String({ description: 'Abilities of the token.' }),
});
