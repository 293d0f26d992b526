import { isJsonObject, type JsonValue, type Property } from '../../fields/property.ts';
import { optionName, optionsOf, withOptions } from './lists/choice-list.ts';
import { changeValuesOn } from './references.ts';

/** An item of a list gets a name. */
interface Rename {
  index: number;
  name: string;
}

type Blocks = readonly Property[];
/** Changes what a block is filled in with, or what a condition about it wants; the same value if it does not have the name. */
type ChangeValue = (value: JsonValue, before: string, after: string) => JsonValue;

/** The blocks once an option has another name: what its block is filled in with and conditions about it follow. */
export function withOptionRenamed(blocks: Blocks, id: string, { index, name }: Rename): Blocks {
  const block = blocks.find((one) => one.id === id);
  const options = block ? optionsOf(block) : [];
  const option = options[index];
  if (!block || option === undefined || optionName(option) === name) return blocks;
  const next = isJsonObject(option) ? { ...option, name } : name;
  const after = { ...block, ...withOptions(block, options.with(index, next as JsonValue)) };
  return following(withBlock(blocks, after), id, options.map(optionName), { index, name }, inChoice);
}

/** The same for a row or a column of a matrix. */
export function withLineRenamed(
  blocks: Blocks,
  id: string,
  list: 'rows' | 'columns',
  { index, name }: Rename,
): Blocks {
  const block = blocks.find((one) => one.id === id);
  const names = block ? linesOf(block, list) : [];
  if (!block || names[index] === undefined || names[index] === name) return blocks;
  const after = { ...block, [list]: names.with(index, name) };
  const change = inMatrix(list === 'rows' ? 0 : 1);
  return following(withBlock(blocks, after), id, names, { index, name }, change);
}

/** The names of a matrix's rows or columns. */
export function linesOf(block: Property, list: string): string[] {
  const names = block[list];
  return Array.isArray(names) ? names.map(String) : [];
}

function following(
  blocks: Blocks,
  id: string,
  names: readonly string[],
  { index, name }: Rename,
  change: ChangeValue,
): Blocks {
  const before = names[index] ?? '';
  const others = names.toSpliced(index, 1);
  // If two have the same name, it is unclear which one is meant, so it stays.
  if (others.includes(before) || others.includes(name)) return blocks;
  const follow = (value: JsonValue) => change(value, before, name);
  return changeValuesOn(blocks, id, follow).map((block) =>
    block.id !== id || block.prefill === undefined ? block : { ...block, prefill: follow(block.prefill) },
  );
}

const inChoice: ChangeValue = (value, before, after) => {
  if (!Array.isArray(value)) return value === before ? after : value;
  return value.includes(before) ? value.map((item) => (item === before ? after : item)) : value;
};

/** @param part of each pair in a matrix's value: the row, or its column */
function inMatrix(part: 0 | 1): ChangeValue {
  return (value, before, after) => {
    if (!isJsonObject(value)) return value;
    const pairs = Object.entries(value);
    if (!pairs.some((pair) => pair[part] === before)) return value;
    return Object.fromEntries(pairs.map((pair) => (pair[part] === before ? pair.with(part, after) : pair)));
  };
}

function withBlock(blocks: Blocks, block: Property): Blocks {
  return blocks.map((one) => (one.id === block.id ? block : one));
}
