import type { AnswerSchema, Certainty } from '../../fields/answer-schema.ts';
import { retentionDays } from '../../fields/block-options/answer-retention.ts';
import { isOn } from '../../fields/block-options/options.ts';
import { generatesNumber, generatesUuid, hiddenDefault } from '../../fields/block-options/prefill.ts';
import { readAnswer } from '../../fields/compile-answers.ts';
import type { CompiledField } from '../../fields/compile-field.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { conditionalBreaks, possibleStates } from '../../fields/logic/logic.ts';
import type { Property } from '../../fields/property.ts';
import { holdsFiles } from '../../fields/type-names.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { deliverySchema, META, submissionSchema } from './envelopes.ts';
import { shareChoices } from './share-choices.ts';

/** The parts of a form that its answers are described by. */
type DescribedForm = Pick<PublishedForm, 'id' | 'title' | 'properties' | 'compiled' | 'isEditable'> & {
  presentation: Pick<PublishedForm['presentation'], 'endings'>;
};

/** A schema with the named ones that it refers to. */
export interface AnswerDocument extends AnswerSchema {
  $schema: string;
  $defs: Record<string, AnswerSchema>;
}

const UNCERTAIN: Certainty = { isComplete: false, isRequired: false };
const ABOUT =
  'Answers to the form as it is now. Answers from before a change of the form, and imported ones, were checked by other rules: ' +
  'they may lack what is required here, and name options that are gone. Members that are not described may be added.';

/** A JSON Schema of what the form's answers are like when read, and when sent by a webhook. */
export function describeAnswers(form: DescribedForm): AnswerDocument {
  const breakOf = conditionalBreaks(form.properties);
  const fields = form.compiled.fields.map((field) => describeField(field, breakOf));
  const given = fields.filter(({ isAlwaysGiven }) => isAlwaysGiven);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: form.title,
    description: ABOUT,
    anyOf: [{ $ref: '#/$defs/Submission' }, { $ref: '#/$defs/WebhookBody' }],
    $defs: shareChoices({
      Answers: {
        ...membersOf(fields, ({ read }) => read),
        required: given.map(({ id }) => id),
        description: 'Answers of a complete submission, by field id.',
      },
      PartialAnswers: {
        ...membersOf(fields, ({ readPartial }) => readPartial),
        description: 'Answers of a partial submission. All imported answers fit this as well.',
      },
      Submission: { anyOf: [{ $ref: '#/$defs/CompleteSubmission' }, { $ref: '#/$defs/PartialSubmission' }] },
      CompleteSubmission: submissionSchema(form, 'completed', 'Answers'),
      PartialSubmission: submissionSchema(form, 'partial', 'PartialAnswers'),
      WebhookBody: deliverySchema(form, form.presentation.endings.length > 0),
      DeliveredAnswers: {
        ...membersOf(fields, ({ delivered }) => delivered),
        // A removed answer is left out, and may be when another answer is changed.
        required: given.filter(({ isRemovable }) => !isRemovable).map(({ id }) => id),
        description: 'The answers in a webhook, by field id.',
      },
      FileLink: {
        type: 'object',
        properties: {
          file_url: { type: 'string', description: 'Needs no credentials, and expires.' },
          file_name: { type: 'string' },
        },
        required: ['file_url', 'file_name'],
      },
      Meta: META,
    }),
  };
}

type DescribedField = ReturnType<typeof describeField>;

function membersOf(fields: readonly DescribedField[], part: (field: DescribedField) => AnswerSchema) {
  const properties = Object.fromEntries(fields.map((field) => [field.id, part(field)]));
  return { type: 'object', properties } as const;
}

function describeField(field: CompiledField, breakOf: ReadonlyMap<string, Property>) {
  const { id, name: title, property } = field;
  const states = possibleStates(property, breakOf);
  const isComplete = states.every(({ hidden }) => !hidden);
  const isRequired = isComplete && states.every(({ required }) => required);
  const isRemovable = retentionDays(property) !== null;
  const readable = (schema: AnswerSchema) => ({ title, ...(isRemovable ? orRemoved(schema) : schema) });
  // Whoever changes another answer need not give a removed one again: then a required box may be unticked.
  const complete = schemaOf(property, { isComplete, isRequired: isRequired && !isRemovable });
  return {
    id,
    read: readable(complete),
    readPartial: readable(schemaOf(property, UNCERTAIN)),
    delivered: {
      title,
      type: 'object',
      properties: {
        value: withLinks(field, complete),
        name: { type: 'string' },
        type: { const: property.type },
      },
      required: ['value', 'name', 'type'],
    } satisfies AnswerSchema,
    isAlwaysGiven:
      isRequired ||
      isFilledIn(
        field,
        states.every(({ hidden }) => hidden),
      ),
    isRemovable,
  };
}

function schemaOf(property: Property, certainty: Certainty): AnswerSchema {
  return fieldTypeOf(property.type).answerSchema(property, certainty, schemaOf);
}

/** Whether every complete submission has an answer that the service makes or fills in, unless one was sent. */
function isFilledIn(field: CompiledField, isNeverShown: boolean): boolean {
  const { property, type } = field;
  if (generatesNumber(property, type.name)) return true;
  if (!isNeverShown) return false;
  if (generatesUuid(property, type.name)) return true;
  // A day that is neither past nor future today may be so tomorrow.
  if (isOn(property.disable_past_dates) || isOn(property.disable_future_dates)) return false;
  return readAnswer(field, hiddenDefault(property, type.name, new Date())) !== undefined;
}

function orRemoved({ description, ...schema }: AnswerSchema): AnswerSchema {
  const words = [...(description ? [description] : []), 'Null once its retention has removed it.'];
  return { anyOf: [schema, { type: 'null' }], description: words.join(' ') };
}

/** Names of files are sent as links; a typed signature stays a text. */
function withLinks({ type }: CompiledField, schema: AnswerSchema): AnswerSchema {
  if (!holdsFiles(type.name)) return schema;
  const { maxItems = 1 } = schema;
  const files: AnswerSchema = { type: 'array', items: { $ref: '#/$defs/FileLink' }, minItems: 1, maxItems };
  return schema.type === 'array' ? files : { anyOf: [files, schema] };
}
