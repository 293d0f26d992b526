import Type from 'typebox';
import { FormParam, FormParams } from '../../access/form-params.ts';
import { Nullable } from '../../http/nullable.ts';
import { Success } from '../../http/success.ts';
import { FormObject } from '../response-schemas.ts';
import { MAX_VERSIONS } from './queries.ts';
import { VERSIONED_MEMBERS } from './versioned-members.ts';

const tags = ['Forms'];
const params = Type.Object({ form: FormParam, version: Type.String() });

const Version = Type.Object(
  {
    version: Type.Integer({ description: '`version` of the form from then on.' }),
    changed: Type.Array(Type.String(), { description: 'Members of the form that changed with it.' }),
    restored_from: Nullable(Type.Integer({ description: 'The version that it brought back.' })),
    saved_by: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
    saved_at: Type.String({ description: 'ISO 8601, UTC' }),
  },
  { title: 'FormVersion' },
);

export const listVersionsSchema = {
  tags,
  summary: 'List what a form was',
  description:
    `The newest first, at most ${MAX_VERSIONS}. There is one for each save that changed the title, the blocks, the ` +
    `texts or the look; the first is what the form is now. A version is made of ${VERSIONED_MEMBERS.map((name) => `\`${name}\``).join(', ')}.`,
  params: FormParams,
  response: { 200: Type.Array(Version) },
};

export const readVersionSchema = {
  tags,
  summary: 'Read what a form was',
  description: 'The `definition` can be sent to change the form, or as its draft.',
  params,
  response: {
    200: Type.Object({
      ...Version.properties,
      definition: Type.Object(
        {},
        { additionalProperties: true, description: 'As a form has these members.' },
      ),
    }),
  },
};

export const restoreVersionSchema = {
  tags,
  summary: 'Make a form what it was',
  description:
    'Published at once, as a version of its own: what the form is now can be brought back the same way. What is not part ' +
    'of a version stays, the draft too.',
  params,
  querystring: Type.Object({
    over: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 999_999_999,
        description: 'Number of the newest version: 409 with `version` when there is a newer one.',
      }),
    ),
  }),
  response: {
    200: Type.Object(
      {
        ...Success.properties,
        version: Nullable(Type.Integer({ description: 'Number of the newest version then.' })),
        form: FormObject,
      },
      { additionalProperties: true },
    ),
    409: Type.Object(
      { message: Type.String(), version: Type.Optional(Nullable(Type.Integer())) },
      { description: 'The form was changed, or moved, meanwhile.' },
    ),
  },
};
