import Type from 'typebox';
import { momentSchema } from '../http/schemas/moments.ts';
import { Nullable } from '../http/schemas/nullable.ts';

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Moment = momentSchema();
const OptionalText = Nullable(Type.String());
const OptionalId = Nullable(Type.Integer());

export const MAX_EVENTS = 100;

export const AuditQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_EVENTS, default: MAX_EVENTS })),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`id` of the last event on the previous page.',
    }),
  ),
  user_id: Type.Optional(Id),
  form_id: Type.Optional(Id),
  verb: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Such as `member.role_changed`, or `member` for all events about members.',
    }),
  ),
  since: Type.Optional(Moment),
  until: Type.Optional(Moment),
});

export const AuditEventList = Type.Array(
  Type.Object({
    id: Type.Integer(),
    created_at: Type.String({ format: 'date-time' }),
    verb: Type.String(),
    actor: Type.Object({
      kind: Type.Enum(['user', 'token', 'cli', 'system']),
      user_id: OptionalId,
      user_name: OptionalText,
      token_id: OptionalId,
      token_name: OptionalText,
      network: Nullable(Type.String({ description: 'IPv4 address, or the /64 network of an IPv6 address.' })),
    }),
    workspace: Type.Object({ id: OptionalId, name: OptionalText }),
    form: Nullable(Type.Object({ id: Type.Integer(), title: OptionalText })),
    target: Nullable(Type.Object({ id: OptionalId, name: OptionalText })),
    details: Type.Object({}, { additionalProperties: true }),
  }),
);
