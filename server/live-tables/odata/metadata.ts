import type { EntityProperty, EntitySet } from './entity-types.ts';
import { sortableIn } from './options.ts';

const NAMESPACE = 'Form';
const VOCABULARY = 'Org.OData';
/** Times are written by the millisecond. */
const TIME_PRECISION = 3;
/** Characters that no XML 1.0 document may have, not even escaped. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
/** What can be changed, searched and expanded: nothing. */
const REFUSED = [
  ['Insert', 'Insertable'],
  ['Update', 'Updatable'],
  ['Delete', 'Deletable'],
  ['Search', 'Searchable'],
  ['Expand', 'Expandable'],
] as const;

/** Describes the sets for clients, with what can be asked for (OData CSDL 4.0, the vocabulary Capabilities). */
export function metadataDocument(sets: readonly EntitySet[]): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>' +
    `<Schema Namespace="${NAMESPACE}" xmlns="http://docs.oasis-open.org/odata/ns/edm">` +
    sets.map(entityType).join('') +
    `<EntityContainer Name="Container">${sets.map(entitySet).join('')}` +
    `${term('Capabilities.V1.ConformanceLevel', 'EnumMember', `${VOCABULARY}.Capabilities.V1.ConformanceLevelType/Minimal`)}` +
    `${term('Capabilities.V1.BatchSupported', 'Bool', 'false')}` +
    `<Annotation Term="${VOCABULARY}.Capabilities.V1.FilterFunctions"><Collection/></Annotation>` +
    '</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>\n'
  );
}

function entityType({ typeName, keys, properties }: EntitySet): string {
  const refs = keys.map((key) => `<PropertyRef Name="${key}"/>`).join('');
  const written = properties.map(propertyElement);
  return `<EntityType Name="${typeName}"><Key>${refs}</Key>${written.join('')}</EntityType>`;
}

function propertyElement({ name, type, question, comparedAs }: EntityProperty): string {
  const isAlwaysThere = comparedAs !== null && comparedAs.by !== 'answer';
  const nullable = isAlwaysThere ? ' Nullable="false"' : '';
  const precision = type === 'Edm.DateTimeOffset' ? ` Precision="${TIME_PRECISION}"` : '';
  const start = `<Property Name="${name}" Type="${type}"${nullable}${precision}`;
  if (question === null) return `${start}/>`;
  return `${start}>${term('Core.V1.Description', 'String', question)}</Property>`;
}

function entitySet(set: EntitySet): string {
  const names = (of: readonly EntityProperty[]) => of.map(({ name }) => name);
  const notFiltered = names(set.properties.filter(({ comparedAs }) => comparedAs === null));
  const sortable = sortableIn(set);
  const notSorted = names(set.properties).filter((name) => !sortable.includes(name));
  return (
    `<EntitySet Name="${set.name}" EntityType="${NAMESPACE}.${set.typeName}">` +
    restrictions('Filter', paths('NonFilterableProperties', notFiltered)) +
    restrictions('Sort', paths('NonSortableProperties', notSorted)) +
    REFUSED.map(([what, member]) =>
      restrictions(what, `<PropertyValue Property="${member}" Bool="false"/>`),
    ).join('') +
    '</EntitySet>'
  );
}

function restrictions(what: string, members: string): string {
  return `<Annotation Term="${VOCABULARY}.Capabilities.V1.${what}Restrictions"><Record>${members}</Record></Annotation>`;
}

function paths(member: string, names: readonly string[]): string {
  const items = names.map((name) => `<PropertyPath>${name}</PropertyPath>`).join('');
  return `<PropertyValue Property="${member}"><Collection>${items}</Collection></PropertyValue>`;
}

function term(name: string, kind: string, value: string): string {
  return `<Annotation Term="${VOCABULARY}.${name}" ${kind}="${escaped(value)}"/>`;
}

function escaped(text: string): string {
  return text.replace(NOT_IN_XML, '').replace(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? '');
}
