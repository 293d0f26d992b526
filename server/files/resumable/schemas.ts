import Type from 'typebox';
import { Problem, Refusal } from '../../http/schemas/problem.ts';
import { FILE_REFUSALS, ROOM_REFUSALS } from '../schemas.ts';

const tags = ['Public'];
const FormParams = { form: Type.String({ description: 'Slug or UUID of the form.' }) };
const UploadParams = Type.Object({
  ...FormParams,
  upload: Type.String({ description: 'UUID of the upload: the end of `Location`.' }),
});
const PASSWORD = {
  'form-password': Type.Optional(
    Type.String({ description: 'Password of a protected form, or its SHA-256 in hex.' }),
  ),
};
const VERSION = {
  'tus-resumable': Type.Optional(Type.String({ description: '`1.0.0`; other versions get 412.' })),
};
const CLOSED = Refusal('`form_closed` or `form_protected`');
const GONE = Problem('The upload or the form does not exist.');
const OTHER_VERSION = Problem('The version of tus is not 1.0.0.');
const BUSY = Refusal('`upload_busy`: the parts are being put together; ask again in a moment.');

export const beginSchema = {
  tags,
  summary: 'Begin to upload a large file in parts',
  description:
    'tus 1.0 (creation, termination), for any tus client. Send the parts in order by `PATCH` to the address in ' +
    '`Location`; after a broken connection `HEAD` tells how much has arrived. Put the `reference`, or just the ' +
    '`uuid`, into the answer.',
  params: Type.Object(FormParams),
  querystring: Type.Object({
    field: Type.Optional(
      Type.String({
        description:
          'Id of a field of type `files` or `signature`. It can be given in the metadata instead, as `field`.',
      }),
    ),
  }),
  headers: Type.Object({
    ...PASSWORD,
    ...VERSION,
    'upload-length': Type.Optional(Type.String({ description: 'Bytes of the whole file; required.' })),
    'upload-metadata': Type.Optional(
      Type.String({ description: '`filename` and its value in Base64; further pairs after a comma.' }),
    ),
  }),
  response: {
    201: Type.Object({
      uuid: Type.String(),
      file_name: Type.String({ description: 'The file name that was sent, cleaned.' }),
      reference: Type.String({ description: 'Value for the answer, once all parts have arrived.' }),
    }),
    403: CLOSED,
    404: Refusal('`form_not_found`'),
    412: OTHER_VERSION,
    ...FILE_REFUSALS,
    ...ROOM_REFUSALS,
  },
};

export const stateSchema = {
  tags,
  summary: 'How much of an upload has arrived',
  description:
    'In `Upload-Offset`; `Upload-Length` is the whole. What was sent completely is put together before the answer.',
  params: UploadParams,
  headers: Type.Object({ ...PASSWORD, ...VERSION }),
  response: { 200: Type.Null(), 403: CLOSED, 404: GONE, 412: OTHER_VERSION, 423: BUSY },
};

export const appendSchema = {
  tags,
  summary: 'Send the next part of an upload',
  description:
    'A part may have any length. Bytes that arrive before a connection breaks are kept. The response to the last ' +
    'part comes when the whole file has been checked and stored.',
  consumes: ['application/offset+octet-stream'],
  // For the description only, because the body is streamed. With a type, a request without a body would be refused.
  body: Type.Unsafe<unknown>({ format: 'binary', description: 'The bytes.' }),
  params: UploadParams,
  headers: Type.Object({
    ...PASSWORD,
    ...VERSION,
    'upload-offset': Type.Optional(
      Type.String({
        description: 'Offset of the part in the file: the number of bytes that have arrived; required.',
      }),
    ),
  }),
  response: {
    204: Type.Null(),
    403: CLOSED,
    404: GONE,
    409: Refusal('`offset_conflict`: `Upload-Offset` names the byte that comes next.'),
    412: OTHER_VERSION,
    422: Problem(
      '`file_type`, `file_not_allowed` or `too_many_parts`; another invalid request has no `error`.',
      FILE_REFUSALS[422].properties,
    ),
    423: BUSY,
    ...ROOM_REFUSALS,
  },
};

export const endSchema = {
  tags,
  summary: 'Cancel an upload',
  description: 'Removes what has arrived. Refused for a file that a submission holds.',
  params: UploadParams,
  headers: Type.Object({ ...PASSWORD, ...VERSION }),
  response: { 204: Type.Null(), 403: CLOSED, 404: GONE, 412: OTHER_VERSION },
};
