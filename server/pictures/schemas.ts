import Type from 'typebox';
import { WorkspaceParams } from '../access/path-params.ts';
import { Problem } from '../http/schemas/problem.ts';
import { Success } from '../http/schemas/success.ts';
import { PICTURE_TYPES } from './picture-kind.ts';

const tags = ['Pictures'];

const Picture = Type.Object(
  {
    name: Type.String({ description: 'Name of the picture, derived from its content.' }),
    url: Type.String({
      description: 'Value for `logo_picture`, `cover_picture` and the pictures of blocks and options.',
      examples: [`/pictures/${'0'.repeat(64)}.png`],
    }),
    size: Type.Integer({ description: 'Bytes.' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Picture' },
);

const pictureParams = Type.Object({ workspaceId: Type.String(), picture: Picture.properties.name });

export const listPicturesSchema = {
  tags,
  summary: 'List the pictures of a workspace',
  description: 'Newest first.',
  params: WorkspaceParams,
  response: { 200: Type.Array(Picture) },
};

export const addPictureSchema = {
  tags,
  summary: 'Add a picture',
  description:
    'The body is the picture itself: PNG, JPEG, GIF, WebP, AVIF or SVG, of up to 2 MiB. Anybody who has its address can see ' +
    'it. The same picture sent again is not stored twice.',
  params: WorkspaceParams,
  consumes: PICTURE_TYPES,
  body: Type.Unsafe<unknown>({ format: 'binary' }),
  response: { 201: Picture },
};

export const removePictureSchema = {
  tags,
  summary: 'Remove a picture',
  description: 'Refused while a form of the workspace shows it; earlier versions of forms do not count.',
  params: pictureParams,
  response: {
    200: Success,
    409: Type.Object(
      {
        message: Type.String(),
        error: Type.Literal('picture_in_use'),
        forms: Type.Array(Type.String(), { description: 'Titles of the forms that show the picture.' }),
      },
      { description: 'Forms show the picture.' },
    ),
  },
};

export const showPictureSchema = {
  tags,
  summary: 'Read a picture',
  params: Type.Object({ picture: Picture.properties.name }),
  response: {
    200: { content: { 'image/*': { schema: Type.Unsafe<unknown>({ type: 'string' }) } } },
    404: Problem('No picture has this name.'),
  },
};
