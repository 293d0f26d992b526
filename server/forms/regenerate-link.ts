import { randomUUID } from 'node:crypto';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db } from '../db/database.ts';
import { type FormRow, forgetFormerSlugs, updateForm } from './queries.ts';
import { makeSlug } from './slug.ts';

/**
 * Gives the form a new address; the old one, and all before it, are dead at once. `uuid` makes one nobody can guess: a
 * new UUID, which is then its slug as well.
 */
export async function regenerateLink(
  db: Db,
  form: FormRow,
  option: 'slug' | 'uuid',
  actor: Actor,
): Promise<void> {
  const uuid = randomUUID();
  const address = option === 'uuid' ? { uuid, slug: uuid } : { slug: makeSlug(form.title) };
  await db.transaction().execute(async (trx) => {
    await updateForm(trx, form.id, address);
    await forgetFormerSlugs(trx, form.id);
    await recordEvent(trx, actor, { verb: 'form.link_changed', formId: form.id, details: { option } });
  });
}
