import type { Person } from './read-people.ts';

const IN_BRACKETS = /<\s*[^\s<>@]+@[^\s<>]+\s*>/;
const ADDRESSES_ALONE = /^[ \t]*(?:[^\s,;<>"@]+@[^\s,;<>"@]+[ \t,;]+)+[^\s,;<>"@]+@[^\s,;<>"@]+[ \t,;]*$/m;
const ADDRESS = /<?\s*([^\s<>,;"@]+@[^\s<>,;"]+)\s*>?/g;
const ENTRIES = /(?:"[^"]*"|[^";]|")+/g;
const AROUND = /^[\s,"]+|[\s,"]+$/g;

/** Whether any line lists people like mail programs do: several per line, or addresses in angle brackets. */
export function isAddressBook(text: string): boolean {
  return IN_BRACKETS.test(text) || ADDRESSES_ALONE.test(text);
}

/** Reads the people of a line: `Ada <ada@example.org>; "Hopper, Grace" <grace@example.org>, bob@example.org`. */
export function readAddressBook(line: string): Person[] {
  return (line.match(ENTRIES) ?? []).flatMap(readEntry);
}

function readEntry(entry: string): Person[] {
  const found = [...entry.matchAll(ADDRESS)];
  if (found.length === 0) return [named(entry)].filter(({ name }) => name);
  let end = 0;
  return found.map(({ 0: { length }, 1: email = '', index }) => {
    const before = entry.slice(end, index);
    end = index + length;
    return { ...named(before), email };
  });
}

function named(text: string): Person {
  const name = text.replace(AROUND, '');
  return name === '' ? {} : { name };
}
