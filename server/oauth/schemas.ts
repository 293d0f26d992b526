import Type from 'typebox';
import { Problem } from '../http/problem.ts';
import { Success } from '../http/success.ts';
import { OFFERED } from './authorization-request.ts';

/** More than any program sends; addresses have no more room anyway. */
const Parameter = Type.Optional(Type.String({ maxLength: 8_000 }));

/** What a program asks for, by the names of the protocol. All are checked by hand, for the words of the protocol. */
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
  'Mostly with `error` and `error_description`, which say what is wrong in the words of the protocol.',
);

export const ConsentQuestion = Type.Object({
  name: Type.String({ description: 'As the program calls itself. Nobody has proved it.' }),
  place: Type.String({
    description:
      'Where its answer goes: the host of an address, or the scheme of a program on the machine of the person.',
  }),
  abilities: Type.Array(Type.Enum(OFFERED), { description: 'What it asks for.' }),
  refusal_url: Type.String({ description: 'Leads back to the program, which is told that it was refused.' }),
});

export const ConsentBody = Type.Object({
  request: RequestQuery,
  abilities: Type.Array(Type.Enum(OFFERED), { minItems: 1, maxItems: OFFERED.length }),
  expires_in_days: Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
    description: 'Days until its token ends; null = never.',
  }),
});

export const ConsentGiven = Type.Object({
  ...Success.properties,
  return_url: Type.String({
    description: 'Leads back to the program, with a code that it takes its token for.',
  }),
});

export const ClientRegistered = Type.Object({
  client_id: Type.String(),
  client_id_issued_at: Type.Integer({ description: 'Seconds of the Unix epoch.' }),
  client_name: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  token_endpoint_auth_method: Type.Literal('none'),
  grant_types: Type.Array(Type.Literal('authorization_code')),
  response_types: Type.Array(Type.Literal('code')),
});

export const TokenTaken = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Optional(Type.Integer({ description: 'Seconds; not there for one without end.' })),
  scope: Type.String({ description: 'Its abilities.' }),
});
