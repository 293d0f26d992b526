import Type from 'typebox';
import { FormParam, FormParams } from '../access/path-params.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { RequiredText } from '../http/schemas/required-text.ts';
import { Success } from '../http/schemas/success.ts';

/** Live tables of one form. */
export const MAX_LIVE_TABLES = 20;
const MAX_NAME = 100;

const tags = ['Live tables'];
const Moment = Type.String({ format: 'date-time' });

const LiveTableSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  created_at: Moment,
  created_by: Nullable(Type.String({ description: 'Name of its creator; null when the account is gone.' })),
  last_read_at: Nullable(Type.String({ format: 'date-time', description: 'Accurate to a minute.' })),
});

export const listSchema = {
  tags,
  summary: 'List the live tables of a form',
  params: FormParams,
  response: { 200: Type.Array(LiveTableSchema) },
};

export const createSchema = {
  tags,
  summary: 'Make a live table',
  description:
    'Makes a link where spreadsheets read all current submissions of the form as CSV: number, time, and every question; `odata_url` is the same table as an OData service. Whoever has a link can read them, without credentials, until the table is deleted. The links are shown only this once. A token needs `forms-read` too.',
  params: FormParams,
  body: Type.Object({ name: RequiredText(MAX_NAME) }),
  response: {
    200: Type.Object({
      ...Success.properties,
      id: Type.Integer(),
      url: Type.String(),
      odata_url: Type.String(),
    }),
  },
};

export const deleteSchema = {
  tags,
  summary: 'Delete a live table',
  description: 'Its link stops working.',
  params: Type.Object({ form: FormParam, tableId: Type.String() }),
  response: { 200: Success },
};

export const readSchema = {
  tags,
  summary: 'Read a live table',
  params: Type.Object({
    file: Type.String({ description: 'The secret part of the link, followed by `.csv`.' }),
  }),
  response: { 200: { content: { 'text/csv': { schema: Type.String() } } } },
};
