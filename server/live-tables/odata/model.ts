import type { JsonValue, Property } from '../../../fields/property.ts';
import { type FieldColumn, resolveColumns } from '../../exports/columns/columns.ts';
import { questionIds } from '../questions.ts';
import { type AnswerPart, partOf, partOfEntry } from './answer-parts.ts';
import type { EntityProperty, EntityRow, EntitySet } from './entity-types.ts';
import { createIdentifiers } from './names.ts';

/** A property about the submission or entry as a whole. */
interface OwnProperty extends EntityProperty {
  valueOf(row: EntityRow): JsonValue;
}

/** Name of the set of all submissions; names of the others begin with it. */
const SUBMISSIONS = 'Submissions';
/** Answers that do not fit the type of their property. Words of questions have no two `_`. */
const OTHER = 'answers__other';

const CREATED = { type: 'Edm.DateTimeOffset', comparedAs: { by: 'created_at' }, question: null } as const;
const UPDATED = { type: 'Edm.DateTimeOffset', comparedAs: { by: 'updated_at' }, question: null } as const;
const numberOf = ({ id }: EntityRow) => id;
const createdAt = (row: EntityRow) => row.created_at.toISOString();
const updatedAt = (row: EntityRow) => row.updated_at.toISOString();

const OF_SUBMISSIONS: readonly OwnProperty[] = [
  { name: 'id', type: 'Edm.Int64', question: null, comparedAs: { by: 'id' }, valueOf: numberOf },
  { name: 'created_at', ...CREATED, valueOf: createdAt },
  { name: 'updated_at', ...UPDATED, valueOf: updatedAt },
  {
    name: 'status',
    type: 'Edm.String',
    question: null,
    comparedAs: { by: 'status' },
    valueOf: ({ status }) => status,
  },
  {
    name: 'review_state',
    type: 'Edm.String',
    question: null,
    comparedAs: { by: 'review_state' },
    valueOf: (row) => row.review_state,
  },
];

/** With the times of the submission, so that clients can ask for the entries of the latest ones. */
const OF_ENTRIES: readonly OwnProperty[] = [
  { name: 'submission_id', type: 'Edm.Int64', question: null, comparedAs: { by: 'id' }, valueOf: numberOf },
  {
    name: 'position',
    type: 'Edm.Int64',
    question: null,
    comparedAs: { by: 'position' },
    valueOf: ({ position }) => position,
  },
  { name: 'submission__created_at', ...CREATED, valueOf: createdAt },
  { name: 'submission__updated_at', ...UPDATED, valueOf: updatedAt },
];

/** The sets of a form: its submissions, and the entries of each question that it repeats. */
export function entitySetsOf(properties: readonly Property[]): EntitySet[] {
  const columns = columnsOf(properties);
  const nameOf = createIdentifiers(ownNames(OF_SUBMISSIONS));
  const parts = columns.map((column) => partOf(column, properties, nameOf));
  const submissions = {
    ...setOf(OF_SUBMISSIONS, parts),
    name: SUBMISSIONS,
    typeName: 'Submission',
    keys: ['id'],
    entriesOf: null,
  };
  const repeated = columns.filter(({ csvKind, questions }) => csvKind === 'entries' && questions.length > 0);
  const setNameOf = createIdentifiers([]);
  return [submissions, ...repeated.map((column) => entriesSet(column, setNameOf(column.inTables.word)))];
}

function columnsOf(properties: readonly Property[]): FieldColumn[] {
  const ids = [...new Set(questionIds(properties))];
  if (ids.length === 0) return [];
  const wanted = Object.fromEntries(ids.map((id) => [id, true]));
  const columns = resolveColumns(ids, wanted, { properties, endings: [] });
  return columns.filter((column) => column.source === 'field');
}

function entriesSet({ id, questions }: FieldColumn, word: string): EntitySet {
  const nameOf = createIdentifiers(ownNames(OF_ENTRIES));
  return {
    ...setOf(
      OF_ENTRIES,
      questions.map((question) => partOfEntry(question, nameOf)),
    ),
    name: `${SUBMISSIONS}_${word}`,
    typeName: `Entry_${word}`,
    keys: ['submission_id', 'position'],
    entriesOf: id,
  };
}

function ownNames(properties: readonly OwnProperty[]): string[] {
  return [...properties.map(({ name }) => name), OTHER];
}

function setOf(
  own: readonly OwnProperty[],
  parts: readonly AnswerPart[],
): Pick<EntitySet, 'properties' | 'valuesOf'> {
  const mayHaveOthers = parts.some(({ mayNotFit }) => mayNotFit);
  const other: EntityProperty = { name: OTHER, type: 'Edm.String', question: null, comparedAs: null };
  return {
    properties: [
      ...own.map(({ name, type, question, comparedAs }) => ({ name, type, question, comparedAs })),
      ...parts.flatMap(({ properties }) => properties),
      ...(mayHaveOthers ? [other] : []),
    ],
    valuesOf(row, urlOf) {
      const values = own.map((property) => property.valueOf(row));
      const others: string[] = [];
      for (const part of parts) {
        const { fitting, other } = part.read(row.data, urlOf);
        values.push(...fitting);
        if (other !== null) others.push(other);
      }
      if (mayHaveOthers) values.push(others.join(' | ') || null);
      return values;
    },
  };
}
