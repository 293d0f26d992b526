import { addError, type ErrorBag, emptyErrorBag, isJsonObject } from '../../../fields/property.ts';
import type { Actor } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { HttpError, invalid, notFound } from '../../http/errors.ts';
import {
  applyScenarios,
  readFileScenarios,
  type ScenarioChanges,
  UNCHANGED,
} from '../../scenarios/file-scenarios.ts';
import type { ScenarioContent } from '../../scenarios/queries.ts';
import { refuseFailingScenarios } from '../../scenarios/refuse-failing.ts';
import { saveSlug } from '../address/save-slug.ts';
import { refuseChargingWithoutAccount } from '../checks/refuse-without-account.ts';
import { refuseConfirmingWithoutMail } from '../checks/refuse-without-mail.ts';
import { definitionProblems, knownMembers } from '../drafts/definition.ts';
import { formColumns } from '../form-columns.ts';
import { isFormPassword } from '../form-password.ts';
import { lockFormIn } from '../lock-form.ts';
import { presentForm } from '../present-form.ts';
import { type FormRow, findForm, findFormBySlug, findFormerlyNamed } from '../queries.ts';
import { FORM_MEMBER_NAMES } from '../response-schemas.ts';
import { FORM_FIELDS, type FormInput } from '../schemas.ts';
import { createForm } from './create-form.ts';
import { normaliseDefinition } from './normalise-form-input.ts';
import { type SavedForm, saveLockedForm } from './save-form.ts';

/** A form as a file holds it. It is found by its slug, and its fields by the ids of the blocks. */
type Definition = FormInput & { title: string; slug: string };

/** What applying a definition changes. */
export interface AppliedForm {
  slug: string;
  /** null when there was no form with this slug. */
  before: FormRow | null;
  /** null when a new form was only planned. */
  after: FormRow | null;
  definition: Definition;
  /** Names of the members that change. */
  fields: string[];
  scenarios: ScenarioChanges;
}

/** How a definition is applied. */
interface Applying {
  /** null: the form keeps those it has. */
  scenarios: ScenarioContent[] | null;
  actor: Actor;
  isPlan: boolean;
}

/** Everything that can be set in a form, as a file holds it. */
export function definitionOf(form: FormRow): Record<string, unknown> {
  const members: Record<string, unknown> = presentForm(form, 'admin', {
    addressOf: () => '',
    now: new Date(),
  });
  return Object.fromEntries(Object.keys(FORM_FIELDS).map((name) => [name, members[name]]));
}

/** Whether applying a definition changes anything. */
export function isChange({ fields, scenarios }: Pick<AppliedForm, 'fields' | 'scenarios'>): boolean {
  return fields.length > 0 || Object.values(scenarios).some((names) => names.length > 0);
}

/** Thrown to roll back a transaction whose changes are not wanted. */
class NotKept extends Error {}

/**
 * Changes the form with this slug to what the definition says, or makes a new one. Members that the definition does not name stay, and
 * so does the form's draft.
 * @param body what `GET /open/forms/{form}` answers, or less
 * @param isPlan only finds out what would change
 * @throws HttpError 409 when the form is in the trash, or changed meanwhile, 422 with everything that is wrong with the definition
 */
export async function applyDefinition(
  parts: Pick<Context, 'db' | 'config'>,
  { body, workspaceId, actor, isPlan }: { body: unknown; workspaceId: number; actor: Actor; isPlan: boolean },
): Promise<AppliedForm> {
  const { db } = parts;
  normaliseDefinition(body);
  const definition = knownMembers(body) as Definition;
  const hasSlug = typeof definition.slug === 'string';
  const before = hasSlug ? await findFormBySlug(db, definition.slug) : null;
  const file = readFileScenarios(body);
  const problems = { ...ownProblems(body), ...file.problems, ...definitionProblems(definition, before) };
  if (before && before.workspace_id !== workspaceId)
    addError(problems, 'slug', `A form of workspace ${before.workspace_id} has this slug.`);
  // A form may have had this slug before it was renamed. A new form would take over its links, and the answers that come by them.
  const renamed = hasSlug && !before ? await findFormerlyNamed(db, definition.slug) : null;
  if (renamed) {
    const whose = renamed.workspace_id === workspaceId ? '' : ` of workspace ${renamed.workspace_id}`;
    const message = `Links with this slug lead to the form ${renamed.slug}${whose}: write that, or another one.`;
    addError(problems, 'slug', message);
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
  await refuseConfirmingWithoutMail(parts, workspaceId, definition, before);
  await refuseChargingWithoutAccount(db, workspaceId, definition, before);
  const { scenarios } = file;
  await refuseFailingScenarios(db, before, definition, { isExact: true, scenarios });
  if (before) return change(db, before, definition, { scenarios, actor, isPlan });
  const added = (scenarios ?? []).map(({ name }) => name);
  const fields = Object.keys(definition);
  const found = { slug: definition.slug, before, definition, fields, scenarios: { ...UNCHANGED, added } };
  if (isPlan) return { ...found, after: null };
  const id = await createForm(db, { workspaceId, creatorId: null }, definition, actor, (trx, formId) =>
    applyScenarios(trx, formId, scenarios, actor),
  );
  return { ...found, after: await findForm(db, id) };
}

/** Problems that only count in files: a file is applied again and again, and nobody looks at the answer. */
function ownProblems(body: unknown): ErrorBag {
  const problems = emptyErrorBag();
  if (!isJsonObject(body)) return problems;
  const { title, slug, properties, endings } = body;
  if (typeof slug !== 'string') addError(problems, 'slug', 'A file needs the slug of its form.');
  if (typeof title !== 'string') addError(problems, 'title', 'The title field is required.');
  for (const name of Object.keys(body))
    if (name !== 'scenarios' && !FORM_MEMBER_NAMES.has(name))
      addError(problems, name, 'A form has no such member.');
  for (const [name, item, list] of [
    ['properties', 'A block', properties],
    ['endings', 'An ending', endings],
  ] as const)
    for (const [index, one] of Array.isArray(list) ? list.entries() : [])
      if (isJsonObject(one) && one.id === undefined)
        addError(problems, `${name}.${index}.id`, `${item} in a file needs an id, to be found again.`);
  return problems;
}

/** Makes the change, and rolls it back if it is only planned, or changes nothing. */
async function change(
  db: Db,
  form: FormRow,
  definition: Definition,
  { scenarios, actor, isPlan }: Applying,
): Promise<AppliedForm> {
  const input = await withoutKnownPassword(definition, form);
  const columns = await formColumns(input);
  let saved: (SavedForm & { scenarios: ScenarioChanges }) | null = null;
  const saving = saveSlug(() =>
    db.transaction().execute(async (trx) => {
      const { version } = await lockFormIn(trx, { id: form.id, workspaceId: form.workspace_id });
      if (version !== form.version)
        throw new HttpError(409, `The form ${form.slug} was changed a moment ago. Please apply again.`);
      const save = await saveLockedForm(trx, form.id, { input, columns, actor, isExact: true });
      saved = { ...save, scenarios: await applyScenarios(trx, form.id, scenarios, actor) };
      if (isPlan || !isChange(saved)) throw new NotKept();
    }),
  );
  await saving.catch((error: unknown) => {
    if (!(error instanceof NotKept)) throw error;
  });
  if (saved === null) throw notFound('Form');
  return { slug: form.slug, definition, ...(saved as SavedForm & { scenarios: ScenarioChanges }) };
}

/** Leaves out a password that the form has already: as its hash has a new salt each time, it would change with every run. */
async function withoutKnownPassword(
  definition: Definition,
  { password_hash: hash }: FormRow,
): Promise<Definition> {
  const { password, ...rest } = definition;
  const isKnown = typeof password === 'string' && hash !== null && (await isFormPassword(password, hash));
  return isKnown ? rest : definition;
}
