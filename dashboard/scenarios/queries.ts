import { queryOptions } from '@tanstack/react-query';
import type { Property } from '../../fields/property.ts';
import { type Answer, api, type Body } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { definitionOf, type FormDraft } from '../form-builder/saving/draft.ts';
import { runningSave } from '../form-builder/saving/running-save.ts';

export type Scenario = Answer<'/open/forms/{form}/scenarios'>[number];
export type ScenarioRun = Answer<'/open/forms/{form}/scenarios/run', 'post'>;
export type ScenarioResult = ScenarioRun['results'][number];
export type Expected = Scenario['expected'];
/** What a save of a scenario may change. */
export type ScenarioChanges = Body<'/open/forms/{form}/scenarios/{scenarioId}', 'put'>;
/** The state of the form that scenarios are run against. */
export type Against = ScenarioRun['against'];

/** Stands for the form's own thank-you text. */
export const NO_ENDING = 'none';
/** Characters; limit of the API. */
export const MAX_NAME = 100;

/** Oldest first. */
export const scenariosQuery = (form: string) =>
  queryOptions({
    queryKey: ['forms', form, 'scenarios'],
    queryFn: ({ signal }) => api.get('/open/forms/{form}/scenarios', { path: { form }, signal }),
  });

/**
 * A run of all. Its key is below that of the list, so that both are loaded again together.
 * @param save saves what is to be tried
 */
export const scenarioRunQuery = (
  form: string,
  against: Against,
  save: () => Promise<unknown> = runningSave,
) =>
  queryOptions({
    queryKey: ['forms', form, 'scenarios', 'run', against],
    queryFn: async ({ signal }) => {
      await save();
      return api.post('/open/forms/{form}/scenarios/run', { path: { form }, body: { against }, signal });
    },
    // The form may have changed in any way.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** Parts of a form that scenarios name. */
export interface NamedParts {
  blocks: Property[];
  calculations: Named[];
  endings: Named[];
}

export interface Named {
  id: string;
  name: string;
}

/** Those of the form with the changes of its draft. */
export function namedParts(form: Form, draft: FormDraft | null): NamedParts {
  const { computed_variables: calculations, endings } = { ...form, ...(draft?.definition as Partial<Form>) };
  return {
    blocks: [...definitionOf(form, draft).properties],
    calculations: listOf(calculations),
    endings: listOf(endings),
  };
}

/** A half-finished draft may contain anything. */
function listOf(items: unknown): Named[] {
  if (!Array.isArray(items)) return [];
  return items.map((item) => ({ id: String(item?.id ?? ''), name: String(item?.name ?? '') }));
}

/** What a block, calculation or ending is called; the id of one that is gone. */
export function nameIn(parts: readonly Named[], id: string): string {
  return parts.find((part) => part.id === id)?.name.trim() || id;
}
