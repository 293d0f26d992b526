import Type from 'typebox';
import { Problem, Refusal } from '../http/schemas/problem.ts';

const word = Type.Optional(Type.String({ description: 'The reason, as a stable word for programs.' }));
const ofFile = {
  error: word,
  errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
};
/** Answers that refuse a file. */
export const FILE_REFUSALS = {
  413: Problem('`file_too_large`', ofFile),
  422: Problem(
    '`file_type`, `file_not_allowed` or `file_empty`; another invalid request has no `error`.',
    ofFile,
  ),
};
/** Answers while too many files are in no submission. */
export const ROOM_REFUSALS = {
  429: Problem('`too_many_uploads` of one sender, or too many requests; see Retry-After.', { error: word }),
  503: Problem('`too_many_uploads` of all together, or the service is unavailable; see Retry-After.', {
    error: word,
  }),
};

export const uploadSchema = {
  tags: ['Public'],
  summary: 'Upload a file for an answer',
  description:
    '`multipart/form-data` with one file. `field` names the field that the file is for, in the query or in a part ' +
    'before the file. Put the `reference`, or just the `uuid`, into the answer. A file that no submission names is ' +
    'removed after a day.',
  consumes: ['multipart/form-data'],
  // Only documents the body, whose parts are read one by one. Without a `type` the check lets pass what is no object.
  body: Type.Unsafe<unknown>({
    properties: {
      field: { type: 'string', description: 'Comes before the file, unless the query names the field.' },
      file: { type: 'string', format: 'binary' },
    },
  }),
  params: Type.Object({ form: Type.String({ description: 'Slug or UUID of the form.' }) }),
  querystring: Type.Object({
    field: Type.Optional(Type.String({ description: 'Id of a field of type `files` or `signature`.' })),
  }),
  headers: Type.Object({
    'form-password': Type.Optional(
      Type.String({ description: 'Password of a protected form, or its SHA-256 in hex.' }),
    ),
  }),
  response: {
    201: Type.Object({
      uuid: Type.String(),
      file_name: Type.String({ description: 'The file name that was sent, cleaned.' }),
      size: Type.Integer({ description: 'Bytes.' }),
      content_type: Type.String({ description: 'Detected from the content, not taken from the request.' }),
      reference: Type.String({ description: 'Value for the answer.' }),
    }),
    403: Refusal('`form_closed` or `form_protected`'),
    404: Refusal('`form_not_found`'),
    ...FILE_REFUSALS,
    ...ROOM_REFUSALS,
  },
};

export const downloadSchema = {
  tags: ['Submissions'],
  summary: 'Download a file of a submission',
  description:
    'For links from a submission, a delivery or an export. Needs no credentials. A link rests, with 404, ' +
    'while the form or the submission is in the trash, unless it was made there.',
  params: Type.Object({ form: Type.String(), name: Type.String() }),
  querystring: Type.Object({
    issued: Type.Optional(Type.String({ description: 'Seconds since 1970.' })),
    expires: Type.Optional(Type.String({ description: 'Seconds since 1970.' })),
    signature: Type.Optional(Type.String()),
  }),
  response: {
    // Images, sound, video and PDF have their own content type, the rest application/octet-stream.
    200: { content: { '*/*': { schema: Type.String() } } },
    403: Problem('The link has expired, is older than the workspace allows now, or is incomplete.'),
  },
};
