import Type from 'typebox';
import { FormParam, FormParams } from '../../access/path-params.ts';
import { Nullable } from '../../http/schemas/nullable.ts';
import { Success } from '../../http/schemas/success.ts';
import { FormObject } from '../response-schemas.ts';
import { MAX_VERSIONS } from './queries.ts';
import { VERSIONED_MEMBERS } from './versioned-members.ts';

const tags = ['Forms'];
const params = Type.Object({ form: FormParam, version: Type.String() });

const Version = Type.Object(
  {
    version: Type.Integer({ description: '`version` that the form got with it.' }),
    changed: Type.Array(Type.String(), { description: 'Members of the form that this version changed.' }),
    restored_from: Nullable(Type.Integer({ description: 'The earlier version that this one restored.' })),
    of_draft: Type.Boolean({
      description: 'Whether it never was the form, but unpublished changes that somebody saved others over.',
    }),
    saved_by: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
    saved_at: Type.String({ description: 'ISO 8601, UTC' }),
  },
  { title: 'FormVersion' },
);

export const listVersionsSchema = {
  tags,
  summary: 'List the versions of a form',
  description:
    `Newest first, at most ${MAX_VERSIONS}. Each save that changed the title, the blocks, the texts or the look made one; ` +
    `the first is the present form. A version consists of ${VERSIONED_MEMBERS.map((name) => `\`${name}\``).join(', ')}.`,
  params: FormParams,
  response: { 200: Type.Array(Version) },
};

export const readVersionSchema = {
  tags,
  summary: 'Read a version of a form',
  description: '`definition` can be sent as an update of the form, or as its draft.',
  params,
  response: {
    200: Type.Object({
      ...Version.properties,
      definition: Type.Object(
        {},
        { additionalProperties: true, description: 'The members as a form has them.' },
      ),
    }),
  },
};

export const restoreVersionSchema = {
  tags,
  summary: 'Restore a version of a form',
  description:
    'Published at once as a new version, so it can be undone the same way. Everything that is not part of a version ' +
    'stays, the draft too.',
  params,
  querystring: Type.Object({
    over: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 999_999_999,
        description: 'Number of the newest version; 409 with `version` when there is a newer one.',
      }),
    ),
  }),
  response: {
    200: Type.Object(
      {
        ...Success.properties,
        version: Nullable(Type.Integer({ description: 'Number of the newest version after the call.' })),
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
