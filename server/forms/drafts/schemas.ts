import Type from 'typebox';
import { FormParams } from '../../access/path-params.ts';
import { Nullable } from '../../http/schemas/nullable.ts';
import { Success } from '../../http/schemas/success.ts';
import { FormObject } from '../response-schemas.ts';
import { UpdateFormBody } from '../schemas.ts';

const tags = ['Forms'];
const Moment = Type.String({ description: 'ISO 8601, UTC' });

export const Problems = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: 'Messages by the key of each problem; empty without problems.',
});

/** The unpublished changes of a form. */
const FormDraft = Type.Object(
  {
    definition: Type.Object(
      {},
      { additionalProperties: true, description: 'The members as they were saved.' },
    ),
    problems: Problems,
    base_version: Type.Integer({ description: '`version` of the form when the draft was begun.' }),
    version: Type.Integer({ description: '`version` of the form now.' }),
    is_outdated: Type.Boolean({ description: 'Whether the form was saved in another way since.' }),
    revision: Type.Integer({ description: 'Number of saves of drafts of this form.' }),
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
    description:
      'The draft or the form is not the one that the query names; the members tell which it is. Or as for every route.',
  },
);

const Collision = Type.Object(
  {
    message: Type.String(),
    base_version: Type.Optional(FormDraft.properties.base_version),
    version: Type.Optional(FormDraft.properties.version),
    changed: Type.Optional(
      Type.Array(Type.String(), { description: 'Members that both the draft and the form changed.' }),
    ),
  },
  { description: 'The form was saved in another way meanwhile. Or as for every route.' },
);

export const saveDraftSchema = {
  tags,
  summary: 'Save unpublished changes of a form',
  description:
    'Takes any members that an update of the form takes; they replace those saved before. Unfinished states are ' +
    'kept: `problems` says what could not be published. Of a new password only a hash is kept; from then on ' +
    '`********` stands for it.',
  params: FormParams,
  querystring: Type.Object({
    revision: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999_999_999,
        description: '`revision` of the save to replace, 0 for none; 409 when there is another.',
      }),
    ),
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999_999_999,
        description:
          '`version` of the form that the changes start from; 409 when this save begins the draft and the form has another.',
      }),
    ),
    keep_replaced: Type.Optional(
      Type.Boolean({
        description: 'Keeps the draft that this save replaces among the versions of the form.',
      }),
    ),
  }),
  body: UpdateFormBody,
  response: { 200: FormDraft, 409: OtherDraft },
};

export const readDraftSchema = {
  tags,
  summary: 'Read the unpublished changes of a form',
  description: '404 while there are none: the form says in `has_unpublished_changes` whether there are.',
  params: FormParams,
  response: { 200: FormDraft },
};

export const deleteDraftSchema = {
  tags,
  summary: 'Discard the unpublished changes of a form',
  params: FormParams,
  response: { 200: Success },
};

export const publishDraftSchema = {
  tags,
  summary: 'Publish the unpublished changes of a form',
  description:
    'Publishes all changes or none, checked like any other update. Members saved in another way since the draft was ' +
    'begun stay unless the draft names them. Where both changed a member differently: 409 with `base_version`, ' +
    '`version` and the names in `changed`.',
  params: FormParams,
  body: Nullable(
    Type.Object({
      force: Type.Optional(
        Type.Boolean({ description: 'Publish even over members that were saved in another way.' }),
      ),
      version: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            '`version` of the form that `force` may overwrite; 409 again when the form was saved later.',
        }),
      ),
      visibility: Type.Optional(
        Type.Unsafe<'public' | 'draft' | 'closed'>({
          enum: ['public', 'draft', 'closed'],
          description: 'Saved together with the changes, in place of one that they name.',
        }),
      ),
    }),
  ),
  response: {
    200: Type.Object({ ...Success.properties, form: FormObject }, { additionalProperties: true }),
    409: Collision,
  },
};
