import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { AddressedForm } from './form-address.ts';

/** Of a row of `forms`. */
export const CUSTOM_DOMAIN = sql<string | null>`forms.presentation->>'custom_domain'`;

/** Where the form's links lead; nowhere when it has just been deleted. */
export async function findAddressedForm(db: Db, formId: number): Promise<AddressedForm> {
  const form = await db
    .selectFrom('forms')
    .select(['slug', CUSTOM_DOMAIN.as('customDomain')])
    .where('id', '=', formId)
    .executeTakeFirst();
  return form ?? { slug: '', customDomain: null };
}

/** The slug of the form with this domain that visitors can see; of several the first that was made. */
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
