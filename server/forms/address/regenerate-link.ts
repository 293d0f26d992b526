import { randomUUID } from 'node:crypto';
import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Db } from '../../db/database.ts';
import { lockFormIn } from '../lock-form.ts';
import { forgetFormerSlugs, updateForm } from '../queries.ts';
import { makeSlug } from './slug.ts';

/**
 * Gives the form a new address; the present one and all former ones stop working at once. With `uuid` it is one that nobody can guess:
 * a new UUID, which becomes the slug as well.
 * @throws HttpError 404, or 409 when the form was moved meanwhile
 */
export async function regenerateLink(
  db: Db,
  form: NamedForm,
  { option, title }: { option: 'slug' | 'uuid'; title: string },
  actor: Actor,
): Promise<void> {
  const uuid = randomUUID();
  const address = option === 'uuid' ? { uuid, slug: uuid } : { slug: makeSlug(title) };
  await db.transaction().execute(async (trx) => {
    await lockFormIn(trx, form);
    await updateForm(trx, form.id, address);
    await forgetFormerSlugs(trx, form.id);
    await recordEvent(trx, actor, { verb: 'form.link_changed', formId: form.id, details: { option } });
  });
}
