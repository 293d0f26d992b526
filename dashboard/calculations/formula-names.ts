import type { Property } from '../../fields/property.ts';
import { isLayoutBlock } from '../../fields/type-names.ts';

// Formulas are stored with ids, `{0f3c…} * {cv_9ab…}`, but shown and typed with names, `{Price} * {Total}`.

/** Texts in quotes, where braces have no meaning, and names in braces. */
const PARTS = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\{([^{}]*)\}/g;

/** Translates between the ids and names of a form's questions and calculations. */
export interface FormulaNames {
  /** The text in braces for a field: its name, or its id if the name is unusable or ambiguous. */
  labelOf(id: string): string;
  toNames(formula: string): string;
  /** Unknown names stay as typed. */
  toIds(formula: string): string;
}

/** @param fields questions and calculations; the first of two with the same name has it */
export function formulaNames(fields: readonly Property[]): FormulaNames {
  const ids = new Set(fields.map(({ id }) => id));
  const labels = new Map<string, string>();
  const byLabel = new Map<string, string>();
  for (const { id, name, type } of fields) {
    const label = name.trim();
    const isTaken = byLabel.has(label) || (ids.has(label) && label !== id);
    if (isLayoutBlock(type) || label === '' || /[{}]/.test(label) || isTaken) continue;
    labels.set(id, label);
    byLabel.set(label, id);
  }
  return {
    labelOf: (id) => labels.get(id) ?? id,
    toNames: (formula) => mapNamed(formula, (id) => labels.get(id)),
    toIds: (formula) => mapNamed(formula, (label) => byLabel.get(label)),
  };
}

/** The ids or names in braces. */
export function namedIn(formula: string): Set<string> {
  const named = new Set<string>();
  mapNamed(formula, (name) => {
    named.add(name);
    return undefined;
  });
  return named;
}

/** Replaces texts in braces for which `otherFor` returns another. */
function mapNamed(formula: string, otherFor: (named: string) => string | undefined): string {
  return formula.replace(PARTS, (whole, named: string | undefined) => {
    const other = named === undefined ? undefined : otherFor(named.trim());
    return other === undefined ? whole : `{${other}}`;
  });
}
