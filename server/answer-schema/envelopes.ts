import type { AnswerSchema } from '../../fields/answer-schema.ts';
import { ATTRIBUTION_KEYS } from '../../fields/attribution-keys.ts';
import { REVIEW_STATES } from '../submissions/reviews/states.ts';

// What surrounds the answers: submissions as members read them, and bodies of webhooks.

const INTEGER: AnswerSchema = { type: 'integer' };
const TEXT: AnswerSchema = { type: 'string' };
const MOMENT: AnswerSchema = { type: 'string', description: 'ISO 8601, in UTC.' };
const PUBLIC_ID: AnswerSchema = {
  anyOf: [TEXT, { type: 'null' }],
  description: 'A UUID; null for readers who may not know it.',
};
export const META = object(
  { attribution: object(Object.fromEntries(ATTRIBUTION_KEYS.map((key) => [key, TEXT])), []) },
  ['attribution'],
);

const ENDING: AnswerSchema = {
  anyOf: [object({ id: TEXT, name: { anyOf: [TEXT, { type: 'null' }] } }), { type: 'null' }],
  description: 'The ending that was reached; null for none. It has no name once the form has it no more.',
};

const CONFIRMED: AnswerSchema = {
  ...object({ email: TEXT, confirmed_at: MOMENT }),
  description: 'Only with an address that its sender has confirmed.',
};

/** @param answers name of the schema that its answers have */
export function submissionSchema(
  { id }: { id: number },
  status: 'completed' | 'partial',
  answers: string,
): AnswerSchema {
  const about = { id: INTEGER, submission_id: PUBLIC_ID, status: { const: status }, created_at: MOMENT };
  const members = {
    id: INTEGER,
    submission_id: PUBLIC_ID,
    form_id: { const: id },
    status: { const: status },
    data: { allOf: [{ $ref: `#/$defs/${answers}` }, object(about)] },
    files: {
      type: 'object',
      additionalProperties: { type: 'array', items: { $ref: '#/$defs/FileLink' } },
      description: 'The files that `data` names, by field id.',
    },
    completion_time: { anyOf: [{ type: 'number' }, { type: 'null' }], description: 'In seconds.' },
    created_at: MOMENT,
    updated_at: MOMENT,
    ending: status === 'partial' ? { type: 'null' } : ENDING,
    review: object({ state: { enum: REVIEW_STATES }, notes: INTEGER }),
    confirmed_email: CONFIRMED,
    meta: { $ref: '#/$defs/Meta' },
  } satisfies Record<string, AnswerSchema>;
  const optional = ['files', 'review', 'confirmed_email', 'meta'];
  const required = Object.keys(members).filter((name) => !optional.includes(name));
  return { ...object(members, required), description: `A ${status} submission as the API shows it.` };
}

export function deliverySchema(
  { id, isEditable }: { id: number; isEditable: boolean },
  hasEndings: boolean,
): AnswerSchema {
  const always = {
    form_id: { const: id },
    form_title: TEXT,
    form_slug: TEXT,
    data: { $ref: '#/$defs/DeliveredAnswers' },
    submission_id: INTEGER,
    ...(hasEndings && { ending: ENDING }),
    ...(isEditable && { edit_link: TEXT }),
  } satisfies Record<string, AnswerSchema>;
  const sometimes: Record<string, AnswerSchema> = {
    event: { const: 'submission.updated', description: 'Only when a submission was changed.' },
    updated_at: { type: 'string', description: 'When it was changed, ISO 8601; only with `event`.' },
    changed_fields: {
      type: 'array',
      items: TEXT,
      description: 'Ids of the fields whose answers changed; only with `event`.',
    },
    confirmed_email: CONFIRMED,
    meta: { $ref: '#/$defs/Meta' },
    submission: {
      type: 'object',
      deprecated: true,
      description: 'Answers by the names of the fields, which may repeat. Not sent to automation platforms.',
    },
    message: { ...TEXT, description: 'Only with `submission`.' },
  };
  return {
    ...object({ ...always, ...sometimes }, Object.keys(always)),
    description: 'The body of a webhook: a complete submission that is new, or was changed.',
  };
}

function object(properties: Record<string, AnswerSchema>, required = Object.keys(properties)): AnswerSchema {
  return { type: 'object', properties, required };
}
