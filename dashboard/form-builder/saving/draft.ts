import { queryOptions } from '@tanstack/react-query';
import type { Property } from '../../../fields/property.ts';
import { type Answer, ApiError, api } from '../../api/client.ts';
import type { Form } from '../../api/queries.ts';
import { isSame } from '../../lib/is-same.ts';
import { type Definition, setsPassword, withOthers } from '../definition.ts';
import { runningSave } from './running-save.ts';

export type FormDraft = Answer<'/open/forms/{form}/draft'>;

/** The unpublished changes of a form; null for none. */
export const draftQuery = (form: number | string) =>
  queryOptions({
    queryKey: ['forms', String(form), 'draft'],
    queryFn: ({ signal }) => readSavedDraft(form, signal),
    // Never cached, because an open builder has newer changes.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** A form and its draft, as they are now. */
export interface Latest {
  form: Form;
  draft: FormDraft | null;
}

export async function readLatest(form: number | string, signal?: AbortSignal): Promise<Latest> {
  for (;;) {
    const now = await api.get('/open/forms/{form}', { path: { form }, ...(signal && { signal }) });
    if (!now.has_unpublished_changes) return { form: now, draft: null };
    const draft = await readDraft(form, signal);
    // Otherwise the draft was published in between, and the form has changed.
    if (draft?.version === now.version) return { form: now, draft };
  }
}

/** Waits for a running save first. */
export async function readSavedDraft(form: number | string, signal: AbortSignal): Promise<FormDraft | null> {
  await runningSave();
  return (await readLatest(form, signal)).draft;
}

async function readDraft(form: number | string, signal?: AbortSignal): Promise<FormDraft | null> {
  try {
    return await api.get('/open/forms/{form}/draft', { path: { form }, ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Members that the builder shows and changes. */
const SHOWN = ['title', 'description', 'submit_button_text', 'properties'];

/** The form as it is built: the published one with the changes of the draft. */
export function definitionOf(form: Form, draft: FormDraft | null): Definition {
  const changes: Partial<Form> = draft?.definition ?? {};
  const others = Object.entries(changes).filter(([key]) => !SHOWN.includes(key));
  const { title, description, submit_button_text, properties } = { ...form, ...changes };
  return {
    title: String(title ?? ''),
    description: description ?? null,
    submit_button_text: submit_button_text ?? null,
    properties: (Array.isArray(properties) ? properties : []).map(readBlock),
    ...(others.length > 0 && { others: Object.fromEntries(others) }),
  };
}

/**
 * How a state that was built here goes on from the service's version. Nobody builds the other members here, and the history leaves some of
 * them out: they stay as the draft has them. If there is none any more, they begin the next one.
 */
export function goingOnFrom({ form, draft }: Latest): (built: Definition) => Definition {
  if (!draft) return withoutNewPassword;
  const { others } = definitionOf(form, draft);
  return (built) => withOthers(built, others);
}

function withoutNewPassword(definition: Definition): Definition {
  if (!setsPassword(definition)) return definition;
  const { password: _, ...others } = definition.others ?? {};
  return withOthers(definition, others);
}

/** What is built, as members of a form. */
function bodyOf({ properties, others: _, ...rest }: Definition) {
  return { ...rest, properties: [...properties] };
}

/**
 * The members shown here that differ from another definition. A draft contains only what differs from the published form, so it does not
 * conflict with somebody who changes the rest.
 */
export function changesOf(definition: Definition, other: Definition): Partial<ReturnType<typeof bodyOf>> {
  const before: Record<string, unknown> = { ...other };
  return Object.fromEntries(
    Object.entries(bodyOf(definition)).filter(([key, value]) => !isSame(value, before[key])),
  );
}

/** Ignores the order of members, which the service keeps for drafts but not for forms. */
export function isSameDefinition(one: Definition, other: Definition): boolean {
  return one === other || isSame(one, other);
}

/** A half-finished draft may contain anything: a block without a name gets an empty one. */
function readBlock(block: { [key: string]: unknown }): Property {
  // The service returns `full` for blocks without a width; here these have none, like blocks just added.
  const { width, ...rest } = block;
  return {
    ...rest,
    ...(width !== undefined && width !== 'full' && { width }),
    id: String(block.id ?? ''),
    type: String(block.type ?? ''),
    name: String(block.name ?? ''),
  } as Property;
}
