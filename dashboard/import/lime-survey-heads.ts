import { stringList } from '../../fields/block-options/options.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import type { SourceTable } from './read-table.ts';
import { folded } from './targets.ts';

/** LimeSurvey's codes of its own columns, in heads with codes and texts: `submitdate. Date submitted`. */
const IS_OF_LIME = /^(?:id|submitdate)\. /;
const LIME_HEAD = /^([a-z]\w*)((?:\[\w+\])*)(?:\. (.*))?$/;
/** The id of a matrix for one of two scales, and the code of a row, as LimeSurvey has them. */
const OF_SCALE = /^(.+)_([01])$/;
const IS_ROW = /^[a-z0-9]+$/;

interface Head {
  name: string;
  /** LimeSurvey's name in expressions: `q1_sq001` for `Q1[SQ001]`; '' if it can have none. */
  code: string;
}

/** The names of columns; those with codes and texts are known by both. */
export function headsOf(columns: readonly string[]): Head[] {
  const isCoded = columns.some((column) => IS_OF_LIME.test(column));
  return columns.map((column) => {
    const [, code, parts = '', text] = LIME_HEAD.exec(column) ?? [];
    if (code === undefined || (text !== undefined && !isCoded)) return { name: column, code: '' };
    const whole = `${code}${parts.replace(/\[(\w+)\]/g, '_$1')}`;
    if (text === undefined) return { name: column, code: whole };
    return { name: IS_OF_LIME.test(column) ? code : text, code: whole };
  });
}

/** The columns of a ranking as `q1_1`, `q1_2`. */
export function ranksByCode(property: Property, heads: readonly Head[]): number[] {
  const start = `${folded(property.id)}_`;
  return heads.flatMap(({ code }, at) =>
    code.startsWith(start) && /^\d+$/.test(code.slice(start.length)) ? [at] : [],
  );
}

/**
 * The rows of a matrix as `q1_sq001`, `q1_sq002`; of one for the first of two scales as `q1_sq001_1`. The form knows no codes of rows, but
 * their order: so there must be as many, and they must hold names of its columns, whose codes are not known either.
 */
export function rowsByCode(
  property: Property,
  { heads, isFree }: { heads: readonly Head[]; isFree(at: number): boolean },
  rows: SourceTable['rows'],
): number[] {
  if (canonicalTypeName(property.type) !== 'matrix') return [];
  const id = folded(property.id);
  const [, question = id, scale] = OF_SCALE.exec(id) ?? [];
  const ending = scale === undefined ? '' : `_${Number(scale) + 1}`;
  const found = heads.flatMap(({ code }, at) => {
    const isOfIt = isFree(at) && code.startsWith(`${question}_`) && code.endsWith(ending);
    return isOfIt && IS_ROW.test(code.slice(question.length + 1, code.length - ending.length)) ? [at] : [];
  });
  const answers = new Set(['', ...stringList(property.columns).map(folded)]);
  const isReadable = rows.every(({ cells }) => found.every((at) => answers.has(folded(cells[at] ?? ''))));
  return found.length === stringList(property.rows).length && isReadable ? found : [];
}
