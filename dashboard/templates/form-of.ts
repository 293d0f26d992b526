import { newId } from '../form-builder/new-id.ts';
import { withNewIds } from '../form-builder/references.ts';
import type { Template } from './template.ts';

/** A form of its own: no two forms of a template share ids. Those of calculations are known within their form alone. */
export function formOf({ form }: Template): { title: string; [key: string]: unknown } {
  const properties = withNewIds(form.properties, newId);
  const ids = new Map(form.properties.map(({ id }, at) => [id, properties[at]?.id ?? id]));
  const { computed_variables: calculations } = form;
  return {
    ...form,
    properties,
    ...(calculations && {
      computed_variables: calculations.map((one) => ({
        ...one,
        formula: one.formula.replace(/\{([^{}]*)\}/g, (name, id) =>
          ids.has(id) ? `{${ids.get(id)}}` : name,
        ),
      })),
    }),
  };
}
