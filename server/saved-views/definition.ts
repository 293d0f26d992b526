import { addError, type ErrorBag, emptyErrorBag, type Property } from '../../fields/property.ts';
import { columnNames, unknownColumns } from '../exports/columns/columns.ts';
import { readFilter, readSort } from '../submissions/lists/read-filter.ts';
import { type Definition, type DefinitionBody, type LeftOut, MAX_DEFINITION } from './schemas.ts';

/** The present and former fields of a form, and the names that columns of its submissions have. */
export interface Fields {
  fields: readonly Property[];
  columnNames: ReadonlySet<string>;
}

type Comparison = Definition['filters'][number];

export function fieldsOf(fields: readonly Property[]): Fields {
  return { fields, columnNames: columnNames(fields) };
}

/** A definition with every member. */
export function completeDefinition(body: DefinitionBody): Definition {
  return {
    status: body.status ?? 'completed',
    review: body.review ?? null,
    ending: body.ending ?? null,
    search: body.search?.trim() ? body.search : null,
    from: body.from ?? null,
    to: body.to ?? null,
    filters: body.filters ?? [],
    sort: body.sort ?? 'created_at',
    order: body.order ?? 'desc',
    columns: body.columns ?? null,
  };
}

/** Every problem for which the list of submissions, or an export, would refuse the definition, by the key of the member. */
export function problemsOf(definition: Definition, { fields, columnNames }: Fields): ErrorBag {
  const errors = emptyErrorBag();
  const { filters, sort, columns, ...rest } = definition;
  filters.forEach((comparison, index) => {
    const message = problemOfFilter(comparison, fields);
    if (message !== null) addError(errors, `definition.filters.${index}`, message);
  });
  const others = emptyErrorBag();
  readFilter(queryOf({ ...rest, filters: [] }), fields, rest.status, others);
  readSort(sort, fields, others);
  for (const [key, messages] of Object.entries(others))
    for (const message of messages) addError(errors, `definition.${key}`, message);
  const unknown = (columns ?? []).filter((name) => !columnNames.has(name));
  if (unknown.length > 0) addError(errors, 'definition.columns', unknownColumns(unknown));
  if (JSON.stringify(definition).length > MAX_DEFINITION)
    addError(errors, 'definition', `The definition may not be greater than ${MAX_DEFINITION} characters.`);
  return errors;
}

/** Splits a stored definition into what applies to the form as it is now, and what does not. */
export function fitDefinition(
  stored: Definition,
  { fields, columnNames }: Fields,
): { definition: Definition; left_out: LeftOut[] } {
  const judged = stored.filters.map((filter) => ({ filter, message: problemOfFilter(filter, fields) }));
  const sorting = emptyErrorBag();
  readSort(stored.sort, fields, sorting);
  const [unsorted = null] = sorting.sort ?? [];
  const wanted = stored.columns ?? [];
  const columns = wanted.filter((name) => columnNames.has(name));
  return {
    definition: {
      ...stored,
      // Views from before there were endings have none.
      ending: stored.ending ?? null,
      filters: judged.flatMap(({ filter, message }) => (message === null ? [filter] : [])),
      ...(unsorted !== null && { sort: 'created_at', order: 'desc' }),
      columns: columns.length > 0 ? columns : null,
    },
    left_out: [
      ...judged.flatMap(({ filter, message }) =>
        message === null ? [] : [{ member: 'filters' as const, ...filter, message }],
      ),
      ...(unsorted === null ? [] : [leftOut('sort', stored.sort, unsorted)]),
      ...wanted
        .filter((name) => !columnNames.has(name))
        .map((name) => leftOut('columns', name, 'The form has no such column.')),
    ],
  };
}

function leftOut(member: 'sort' | 'columns', id: string, message: string): LeftOut {
  return { member, id, operator: null, value: null, message };
}

/** Why the list refuses a comparison; null when it takes it. */
function problemOfFilter(comparison: Comparison, fields: readonly Property[]): string | null {
  const errors = emptyErrorBag();
  const query = queryOf({
    review: null,
    ending: null,
    search: null,
    from: null,
    to: null,
    filters: [comparison],
  });
  readFilter(query, fields, 'all', errors);
  return Object.values(errors).flat()[0] ?? null;
}

/** The query with which the list of submissions shows what the definition says. */
function queryOf({
  review,
  ending,
  search,
  from,
  to,
  filters,
}: Pick<Definition, 'review' | 'ending' | 'search' | 'from' | 'to' | 'filters'>) {
  return {
    ...(review && { review }),
    ...(ending && { ending }),
    ...(search && { search }),
    ...(from && { from }),
    ...(to && { to }),
    ...Object.fromEntries(filters.map(({ id, operator, value }) => [`filter[${id}][${operator}]`, value])),
  };
}
