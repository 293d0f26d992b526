import Type from 'typebox';
import { Problem, Refusal } from '../../http/problem.ts';

const tags = ['Public'];
const FormParams = { form: Type.String({ description: 'Slug or UUID of the form.' }) };
const UploadParams = Type.Object({
  ...FormParams,
  upload: Type.String({ description: 'UUID of the upload, as `Location` ends.' }),
});
const PASSWORD = {
  'form-password': Type.Optional(
    Type.String({ description: 'Password of a protected form, or its SHA-256 in hex.' }),
  ),
};
const VERSION = {
  'tus-resumable': Type.Optional(Type.String({ description: '`1.0.0`; any other version is answered 412.' })),
};
const CLOSED = Refusal('`form_closed` or `form_protected`');
const GONE = Problem('There is no such upload, or no such form.');
const BUSY = Refusal('`upload_busy`: the parts are being put together; ask again in a moment.');

export const beginSchema = {
  tags,
  summary: 'Begin to upload a large file in parts',
  description:
    'tus 1.0 (creation, termination): any client of tus will do. The parts follow by `PATCH` of the address in `Location`, ' +
    'in order; after a broken connection `HEAD` tells how much has arrived. The answer of the form then holds the ' +
    '`reference`, or the `uuid` alone.',
  params: Type.Object(FormParams),
  querystring: Type.Object({
    field: Type.Optional(
      Type.String({
        description: 'Id of a field of type `files` or `signature`; or in the metadata, as `field`.',
      }),
    ),
  }),
  headers: Type.Object({
    ...PASSWORD,
    ...VERSION,
    'upload-length': Type.Optional(Type.String({ description: 'Bytes of the whole file; required.' })),
    'upload-metadata': Type.Optional(
      Type.String({ description: '`filename` and its value in Base64; more pairs after a comma.' }),
    ),
  }),
  response: {
    201: Type.Object({
      uuid: Type.String(),
      file_name: Type.String({ description: 'The name that was sent, cleaned.' }),
      reference: Type.String({ description: 'What the answer holds once all parts have arrived.' }),
    }),
    403: CLOSED,
    404: Refusal('`form_not_found`'),
    412: Problem('Another version of tus than 1.0.0.'),
    413: Refusal('`file_too_large`'),
  },
};

export const stateSchema = {
  tags,
  summary: 'How much of an upload has arrived',
  description:
    'In `Upload-Offset`; `Upload-Length` is the whole. What was sent completely is put together before the answer.',
  params: UploadParams,
  headers: Type.Object({ ...PASSWORD, ...VERSION }),
  response: { 403: CLOSED, 404: GONE, 423: BUSY },
};

export const appendSchema = {
  tags,
  summary: 'Send the next part of an upload',
  description:
    'Of any length. What arrives before a connection breaks is kept. The last part is answered when the whole file has been ' +
    'checked and stored.',
  consumes: ['application/offset+octet-stream'],
  // Told, not checked: it is read as it comes. With a type, no body at all would be refused.
  body: Type.Unsafe<unknown>({ format: 'binary', description: 'The bytes.' }),
  params: UploadParams,
  headers: Type.Object({
    ...PASSWORD,
    ...VERSION,
    'upload-offset': Type.Optional(
      Type.String({ description: 'Place of its first byte in the file: as much as has arrived; required.' }),
    ),
  }),
  response: {
    204: Type.Null(),
    403: CLOSED,
    404: GONE,
    409: Refusal('`offset_conflict`: another byte comes next, named by `Upload-Offset`.'),
    412: Problem('Another version of tus than 1.0.0.'),
    423: BUSY,
  },
};

export const endSchema = {
  tags,
  summary: 'Give an upload up',
  description: 'What has arrived is removed. Not of a file that a submission holds.',
  params: UploadParams,
  headers: Type.Object({ ...PASSWORD, ...VERSION }),
  response: { 204: Type.Null(), 403: CLOSED, 404: GONE },
};
