import Type, { type Static } from 'typebox';
import { FormParam, FormParams } from '../access/path-params.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { RequiredText } from '../http/schemas/required-text.ts';
import { Success } from '../http/schemas/success.ts';
import { MAX_FILTERS, MAX_VALUE } from '../submissions/lists/filter.ts';
import { State } from '../submissions/reviews/schemas.ts';
import { MAX_SEARCH, MAX_SORT } from '../submissions/schemas.ts';

/** Saved views of one form. */
export const MAX_SAVED_VIEWS = 50;
/** Characters of a definition as JSON. */
export const MAX_DEFINITION = 50_000;
const MAX_NAME = 100;
/** As many as an export may have. */
const MAX_COLUMNS = 1_000;
/** Characters of the id of a field, or of another column. */
const MAX_ID = 64;

const tags = ['Saved views'];
const Moment = Type.String({ format: 'date-time' });

const Comparison = Type.Object({
  id: Type.String({ minLength: 1, maxLength: MAX_ID, description: 'Id of the field.' }),
  operator: Type.String({ minLength: 1, maxLength: 64 }),
  value: Type.String({
    maxLength: MAX_VALUE,
    default: '',
    description: 'Empty for `is_empty` and `is_not_empty`.',
  }),
});

const Day = Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` });

/** What a view shows: the parameters of the list, and columns. */
const definition = {
  status: Type.Enum(['completed', 'partial', 'all'], { default: 'completed' }),
  review: Nullable(State),
  ending: Nullable(
    Type.String({ pattern: '^[!-~]{1,64}$', description: 'As the list takes it: an id, or `none`.' }),
  ),
  search: Nullable(Type.String({ maxLength: MAX_SEARCH })),
  from: Nullable(Day),
  to: Nullable(Day),
  filters: Type.Array(Comparison, { maxItems: MAX_FILTERS, default: [] }),
  sort: Type.String({ maxLength: MAX_SORT, default: 'created_at' }),
  order: Type.Enum(['asc', 'desc'], { default: 'desc' }),
  columns: Nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_ID }), {
      minItems: 1,
      maxItems: MAX_COLUMNS,
      uniqueItems: true,
      description: 'Names as in exports, in order; null for the columns that a table usually has.',
    }),
  ),
};

const Definition = Type.Object(definition, {
  title: 'SavedViewDefinition',
  description:
    'Parameters of the list of submissions, each item of `filters` as `filter[<id>][<operator>]=<value>`, and the columns of a ' +
    'table. `from` and `to` are days, both included, in the time zone of whoever looks. The list takes everything in it: what no ' +
    'longer fits the form is in `left_out` instead.',
});

/** A complete definition, as it is stored. */
export type Definition = Static<typeof Definition>;

const DefinitionBody = Type.Partial(Type.Object(definition), {
  additionalProperties: false,
  description: 'What is left out has its default; without any, the view shows all complete submissions.',
});
export type DefinitionBody = Static<typeof DefinitionBody>;

const LeftOut = Type.Object({
  member: Type.Enum(['filters', 'sort', 'columns']),
  id: Type.String({ description: 'Id of the field, or name of the column.' }),
  operator: Nullable(Type.String({ description: 'Only of a filter.' })),
  value: Nullable(Type.String({ description: 'Only of a filter.' })),
  message: Type.String({ description: 'Why it does not apply.' }),
});
export type LeftOut = Static<typeof LeftOut>;

const SavedViewSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    definition: Definition,
    left_out: Type.Array(LeftOut, {
      description:
        'Parts of the stored definition that the form no longer has, or that its fields no longer allow. They apply again once the ' +
        'form allows them, and are lost when another definition is saved.',
    }),
    created_at: Moment,
    created_by: Nullable(Type.String({ description: 'Name of its creator; null when the account is gone.' })),
    updated_at: Moment,
  },
  { title: 'SavedView' },
);
export type SavedView = Static<typeof SavedViewSchema>;

const Saved = Type.Object({ ...Success.properties, view: SavedViewSchema });
const SavedViewParams = Type.Object({ form: FormParam, viewId: Type.String() });

export const listSchema = {
  tags,
  summary: 'List the saved views of a form',
  description: 'Oldest first.',
  params: FormParams,
  response: { 200: Type.Array(SavedViewSchema) },
};

export const createSchema = {
  tags,
  summary: 'Save a view',
  description:
    'Saves filters, search, order and columns under a name, for everybody who may read the form. Whatever the list of submissions ' +
    `would refuse is 422. A form has at most ${MAX_SAVED_VIEWS}.`,
  params: FormParams,
  body: Type.Object({ name: RequiredText(MAX_NAME), definition: DefinitionBody }),
  response: { 200: Saved },
};

export const updateSchema = {
  tags,
  summary: 'Rename a saved view, or replace what it shows',
  description: 'Members left out stay as they are; a `definition` replaces the whole former one.',
  params: SavedViewParams,
  body: Type.Object({
    name: Type.Optional(RequiredText(MAX_NAME)),
    definition: Type.Optional(DefinitionBody),
  }),
  response: { 200: Saved },
};

export const deleteSchema = {
  tags,
  summary: 'Delete a saved view',
  description: 'No submission is deleted.',
  params: SavedViewParams,
  response: { 200: Success },
};
