import Type from 'typebox';
import { momentSchema } from '../http/schemas/moments.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { IntegrationParams } from '../integrations/schemas.ts';

const Time = Type.String({ format: 'date-time' });
const Open = { additionalProperties: true };

export const DeliveryParams = Type.Object({
  ...IntegrationParams.properties,
  deliveryId: Type.String(),
});

export const State = Type.Union([
  Type.Literal('pending'),
  Type.Literal('delivered'),
  Type.Literal('exhausted'),
  Type.Literal('cancelled'),
]);

const limit = Type.Integer({ minimum: 1, maximum: 100, default: 100 });

export const EventsQuery = Type.Object({
  limit: Type.Optional(limit),
  before: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,15}-[1-9][0-9]{0,8}$',
      description: '`id` of the last event on the previous page.',
    }),
  ),
});

const RANGE = {
  since: Type.Optional(momentSchema('Only deliveries created from this time on.')),
  until: Type.Optional(momentSchema('Only deliveries created before this time.')),
};

export const DeliveriesQuery = Type.Object({
  limit: Type.Optional(limit),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`id` of the last delivery on the previous page.',
    }),
  ),
  state: Type.Optional(State),
  ...RANGE,
});

export const DeliveryCountsQuery = Type.Object(RANGE);

export const DeliveryCounts = Type.Object({
  pending: Type.Integer(),
  delivered: Type.Integer(),
  exhausted: Type.Integer(),
  cancelled: Type.Integer(),
});

export const ReplayBody = Type.Object({
  since: momentSchema('Deliveries created from this time on are sent again.'),
  until: Type.Optional(momentSchema('End of the time, exclusive; now when absent.')),
  state: Type.Optional(State),
});

const attemptMembers = {
  attempt: Type.Integer({ description: 'Number of the attempt for its delivery, from 1.' }),
  status_code: Nullable(Type.Integer()),
  failure: Nullable(Type.String({ description: 'Fixed word for why no status was received.' })),
  failure_detail: Nullable(Type.String()),
  duration_ms: Type.Integer(),
  response_excerpt: Nullable(Type.String({ description: 'First 2 KiB of the receiver’s response.' })),
};

/** One attempt in the shape of this API family: `date`, `status` and `data` are what its connectors read. */
export const Event = Type.Object(
  {
    date: Time,
    status: Type.Union([Type.Literal('Success'), Type.Literal('Error')]),
    data: Type.Object({}, Open),
    id: Type.String(),
    delivery_id: Type.Integer(),
    submission_id: Type.Integer(),
    webhook_id: Type.String(),
    ...attemptMembers,
    next_attempt_at: Nullable(Time),
  },
  Open,
);

const Attempt = Type.Object({ started_at: Time, ...attemptMembers }, Open);

const deliveryMembers = {
  id: Type.Integer(),
  integration_id: Type.Integer(),
  submission_id: Type.Integer(),
  webhook_id: Type.String({ description: 'The same for every attempt.' }),
  state: State,
  attempts: Type.Integer({ description: 'Number of attempts made.' }),
  next_attempt_at: Nullable(Time),
  created_at: Time,
  finished_at: Nullable(Time),
  last_attempt: Nullable(
    Type.Object({
      started_at: Time,
      status_code: Nullable(Type.Integer()),
      failure: Nullable(Type.String()),
      duration_ms: Type.Integer(),
    }),
  ),
};

export const Delivery = Type.Object(deliveryMembers, Open);

export const DeliveryWithAttempts = Type.Object(
  {
    ...deliveryMembers,
    body: Type.String({ description: 'The exact text that is sent.' }),
    attempt_log: Type.Array(Attempt),
  },
  Open,
);

export const TestResult = Type.Object(
  {
    type: Type.Union([Type.Literal('success'), Type.Literal('error')]),
    message: Type.String(),
    request: Type.Object({
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String(),
    }),
    response: Nullable(
      Type.Object({ status: Type.Integer(), excerpt: Type.String(), duration_ms: Type.Integer() }),
    ),
    failure: Nullable(
      Type.Object({ reason: Type.String(), detail: Type.String(), duration_ms: Type.Integer() }),
    ),
  },
  Open,
);
