import Type from 'typebox';
import { FormParams } from '../../access/form-params.ts';
import { Nullable } from '../../http/nullable.ts';
import { Success } from '../../http/success.ts';
import { FormObject } from '../response-schemas.ts';
import { UpdateFormBody } from '../schemas.ts';

const tags = ['Forms'];
const Moment = Type.String({ description: 'ISO 8601, UTC' });

export const Problems = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: 'Messages by the key of what is wrong; empty when all is well.',
});

/** What somebody has changed of a form and not published. */
const FormDraft = Type.Object(
  {
    definition: Type.Object({}, { additionalProperties: true, description: 'As it was saved.' }),
    problems: Problems,
    base_version: Type.Integer({ description: '`version` of the form when the draft was begun.' }),
    version: Type.Integer({ description: '`version` of the form now.' }),
    is_outdated: Type.Boolean({ description: 'The form was saved by another way since.' }),
    revision: Type.Integer({ description: 'Counts the saves of this draft.' }),
    saved_by: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
    begun_at: Moment,
    saved_at: Moment,
  },
  { title: 'FormDraft' },
);

const OtherDraft = Type.Object(
  {
    message: Type.String(),
    revision: Type.Optional(FormDraft.properties.revision),
    saved_by: Type.Optional(FormDraft.properties.saved_by),
    saved_at: Type.Optional(Nullable(Moment)),
    version: Type.Optional(FormDraft.properties.version),
  },
  {
    description: 'There is another draft or form than the query names, and which; or the same as everywhere.',
  },
);

const Collision = Type.Object(
  {
    message: Type.String(),
    base_version: Type.Optional(FormDraft.properties.base_version),
    version: Type.Optional(FormDraft.properties.version),
    changed: Type.Optional(Type.Array(Type.String(), { description: 'Members that both changed.' })),
  },
  { description: 'The form was saved by another way meanwhile; or the same as everywhere.' },
);

export const saveDraftSchema = {
  tags,
  summary: 'Save unpublished changes of a form',
  description:
    'Any members of the body that changes a form, in place of those saved before. Half-finished states are kept: what ' +
    'would not be published is answered as `problems`. Of a new password only a hash is kept, and `********` means it ' +
    'from then on.',
  params: FormParams,
  querystring: Type.Object({
    revision: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999_999_999,
        description: 'Of the save that this one is to replace, 0 for none: 409 when there is another.',
      }),
    ),
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999_999_999,
        description: 'Of the form that the changes are made to: 409 when they are begun and it has another.',
      }),
    ),
  }),
  body: UpdateFormBody,
  response: { 200: FormDraft, 409: OtherDraft },
};

export const readDraftSchema = {
  tags,
  summary: 'Read the unpublished changes of a form',
  description: '404 while there are none.',
  params: FormParams,
  response: { 200: FormDraft },
};

export const deleteDraftSchema = {
  tags,
  summary: 'Throw the unpublished changes of a form away',
  params: FormParams,
  response: { 200: Success },
};

export const publishDraftSchema = {
  tags,
  summary: 'Publish the unpublished changes of a form',
  description:
    'All of them or none, checked like any other change. What was saved by another way since they were begun stays where ' +
    'the draft does not name it; 409 with `base_version`, `version` and the names of what `changed` where both changed the ' +
    'same to something else.',
  params: FormParams,
  body: Nullable(
    Type.Object({
      force: Type.Optional(Type.Boolean({ description: 'Also over what was saved by another way.' })),
      version: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Of the form that `force` goes over: what was saved after it is asked about again.',
        }),
      ),
    }),
  ),
  response: {
    200: Type.Object({ ...Success.properties, form: FormObject }, { additionalProperties: true }),
    409: Collision,
  },
};
