import { newId } from '../form-builder/new-id.ts';
import { withNewIds } from '../form-builder/references.ts';
import type { Template } from './template.ts';

/**
 * A form from a template, with new ids: no two forms share any. Ids of calculations are kept, since they are only used within the
 * form.
 */
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
