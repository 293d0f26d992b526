import { hashKey, queryOptions } from '@tanstack/react-query';
import type { Property } from '../../fields/property.ts';
import { type Answer, ApiError, api } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import type { Definition } from './edits.ts';

export type FormDraft = Answer<'/open/forms/{form}/draft'>;

/** The save that is under way, whichever screen began it: who comes back at once finds what was saved. */
let saving: Promise<unknown> = Promise.resolve();

export function noteSaving(save: Promise<unknown>): void {
  saving = save.catch(() => {});
}

/** Sends what the builder has and did not send yet, while one is open. @returns why it could not; null when it is saved */
type SendRest = () => Promise<string | null>;
let sendRest: SendRest | null = null;

/** @returns what ends it */
export function noteBuilder(send: SendRest): () => void {
  sendRest = send;
  return () => {
    if (sendRest === send) sendRest = null;
  };
}

/**
 * For whatever the service does with the draft as it is.
 * @throws Error when the last changes cannot be saved
 */
export async function saveRest(): Promise<void> {
  const problem = await sendRest?.();
  if (problem) throw new Error(problem);
  await saving;
}

/** What was changed of a form and not published; null for nothing. */
export const draftQuery = (form: number | string) =>
  queryOptions({
    queryKey: ['forms', String(form), 'draft'],
    queryFn: ({ signal }) => readSavedDraft(form, signal),
    // The builder has the newer one while it is open.
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

export async function readLatest(form: number, signal?: AbortSignal): Promise<Latest> {
  // The draft first: published in between, it is the same as the form.
  const draft = await readDraft(form, signal);
  return { form: await api.get('/open/forms/{form}', { path: { form }, ...(signal && { signal }) }), draft };
}

/** With what is being saved at the moment. */
export async function readSavedDraft(form: number | string, signal: AbortSignal): Promise<FormDraft | null> {
  await saving;
  return readDraft(form, signal);
}

async function readDraft(form: number | string, signal?: AbortSignal): Promise<FormDraft | null> {
  try {
    return await api.get('/open/forms/{form}/draft', { path: { form }, ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The form as the builder shows it: what is published with what a draft changes. */
export function definitionOf(form: Form, draft: FormDraft | null): Definition {
  const changes: Partial<Form> = draft?.definition ?? {};
  const { title, description, submit_button_text, properties } = { ...form, ...changes };
  return {
    title: String(title ?? ''),
    description: description ?? null,
    submit_button_text: submit_button_text ?? null,
    properties: (Array.isArray(properties) ? properties : []).map(readBlock),
  };
}

/** The body of requests. */
function bodyOf({ properties, ...rest }: Definition) {
  return { ...rest, properties: [...properties] };
}

/**
 * The members that differ from another definition. A draft holds no others than those that differ from what is published:
 * so nobody is in its way, and it in nobody's, who changes the rest.
 */
export function changesOf(definition: Definition, other: Definition): Partial<ReturnType<typeof bodyOf>> {
  const before: Record<string, unknown> = { ...other };
  return Object.fromEntries(
    Object.entries(bodyOf(definition)).filter(([key, value]) => hashKey([value]) !== hashKey([before[key]])),
  );
}

/** Whatever order their members have: the service keeps that of drafts, and not that of forms. */
export function isSameDefinition(one: Definition, other: Definition): boolean {
  return one === other || hashKey([one]) === hashKey([other]);
}

/** Half-finished drafts may hold anything: a block without a name is shown as one. */
function readBlock(block: { [key: string]: unknown }): Property {
  // The service says `full` of every block that was given no width; here that is none, as in a block just added.
  const { width, ...rest } = block;
  return {
    ...rest,
    ...(width !== undefined && width !== 'full' && { width }),
    id: String(block.id ?? ''),
    type: String(block.type ?? ''),
    name: String(block.name ?? ''),
  } as Property;
}
