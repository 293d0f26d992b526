import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { AddressedForm } from './form-address.ts';

/** For queries of `forms`. */
export const CUSTOM_DOMAIN = sql<string | null>`forms.presentation->>'custom_domain'`;

/** What the form's links are made of; an empty slug when it has just been deleted. */
export async function findAddressedForm(db: Db, formId: number): Promise<AddressedForm> {
  const form = await db
    .selectFrom('forms')
    .select(['slug', CUSTOM_DOMAIN.as('customDomain')])
    .where('id', '=', formId)
    .executeTakeFirst();
  return form ?? { slug: '', customDomain: null };
}

/** The slug of the published form with this domain; of several the oldest. */
export async function findSlugAtDomain(db: Db, domain: string): Promise<string | null> {
  const form = await db
    .selectFrom('forms')
    .select('slug')
    .where(CUSTOM_DOMAIN, '=', domain)
    .where('visibility', '<>', 'draft')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return form?.slug ?? null;
}
