import Type, { type TProperties, type TSchema } from 'typebox';

const tags = ['Live tables'];
const Token = Type.String({ description: 'The secret part of the link.' });
const SetName = Type.String({
  description:
    'A name of the service document: `Submissions`, or `Submissions_…` for the entries of a repeated question. For one entity its key follows: `Submissions(5)`.',
});

/** Options that name what they need when they are wrong, so the schema says only that they are texts. */
function options(properties: TProperties) {
  return Type.Object(properties);
}

const text = (description: string) => Type.Optional(Type.String({ description }));
const Format = text('`json` or a media type; it takes precedence over `Accept`.');
const Filter = text(
  "Comparisons (`eq`, `ne`, `gt`, `ge`, `lt`, `le`) with `and`, `or`, `not` and parentheses, such as `created_at ge 2026-01-01 and status eq 'completed'`.",
);

const ODataError = Type.Object({
  error: Type.Object({ code: Type.String(), message: Type.String() }),
});
const Problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: ODataError } },
});
const problems = {
  400: Problem('The request does not follow OData, or names something that is not there.'),
  404: Problem('The link leads nowhere, or the form has no such set or entity.'),
  406: Problem('The client takes none of the formats that there are.'),
  422: Problem('Not used: what is invalid is 400.'),
  429: Problem('Too many requests; Retry-After says how many seconds to wait.'),
  501: Problem('OData has it, this service does not.'),
  503: Problem('Too many read at this moment, or the database is unavailable.'),
};
const Context = Type.Optional(Type.String({ description: 'Absent with `odata.metadata=none`.' }));
const json = (description: string, schema: TSchema) => ({
  description,
  content: { 'application/json': { schema } },
});
const Root = Type.Object({
  '@odata.context': Context,
  value: Type.Array(
    Type.Object({ name: Type.String(), kind: Type.Literal('EntitySet'), url: Type.String() }),
  ),
});
const Entities = Type.Object({
  '@odata.context': Context,
  '@odata.count': Type.Optional(Type.Integer()),
  value: Type.Array(Type.Object({}, { additionalProperties: true })),
  '@odata.nextLink': Type.Optional(Type.String()),
});

export const rootSchema = {
  tags,
  summary: 'Read the OData service document',
  description: 'Names the entity sets of the form. The service is OData 4.0, for reading only.',
  params: Type.Object({ token: Token }),
  querystring: options({ $format: Format }),
  response: { 200: json('The sets.', Root), ...problems },
};

export const metadataSchema = {
  tags,
  summary: 'Read the OData metadata document',
  params: Type.Object({ token: Token }),
  querystring: options({ $format: text('`xml` or a media type.') }),
  response: {
    200: {
      description: 'The types of the sets, in CSDL.',
      content: { 'application/xml': { schema: Type.String() } },
    },
    ...problems,
  },
};

export const setSchema = {
  tags,
  summary: 'Read entities by OData',
  description:
    'A page of a set: up to 2,000 entities, fewer when their answers are long or `Prefer: odata.maxpagesize` says so. Where more follow, `@odata.nextLink` leads to them.',
  params: Type.Object({ token: Token, set: SetName }),
  querystring: options({
    $select: text('Names of properties, separated by commas.'),
    $filter: Filter,
    $orderby: text('`id` or `created_at`, for entries `submission_id`; `desc` may follow.'),
    $top: text('Entities at most.'),
    $skip: text('Entities to leave out at the beginning, 100,000 at most.'),
    $count: text('`true` tells how many there are in all pages.'),
    $skiptoken: text('Where a page begins; only next links have it.'),
    $format: Format,
  }),
  response: {
    200: json('The entities; for a key only the properties of the one it names.', Entities),
    ...problems,
  },
};

export const countSchema = {
  tags,
  summary: 'Count entities by OData',
  params: Type.Object({ token: Token, set: SetName }),
  querystring: options({ $filter: Filter, $format: text('A media type.') }),
  response: {
    200: { description: 'The number.', content: { 'text/plain': { schema: Type.String() } } },
    ...problems,
  },
};
