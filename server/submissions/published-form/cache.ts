import type { FieldEngines } from '../../../fields/engines.ts';
import { SizedCache } from '../../../fields/sized-cache.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { linkSource } from '../../files/file-links.ts';
import { parseUuid } from '../../http/schemas/ids.ts';
import { type PublishedForm, preparePublishedForm } from './published-form.ts';
import { findPublishedForm, formRevision } from './queries.ts';

export interface PublishedForms {
  /** By slug or UUID; null for unknown and draft forms. The form may be out of date: see `isCurrent`. */
  find(ref: string): Promise<PublishedForm | null>;
  /** The same, never out of date. */
  findCurrent(ref: string): Promise<PublishedForm | null>;
  /** Asks the database, and forgets a form that is out of date. To be asked before any refusal. */
  isCurrent(form: PublishedForm): Promise<boolean>;
  forget(formId: number): void;
}

/** Characters of all cached forms, those of a form times its languages. A prepared form takes about 2.5 bytes per character. */
const MAX_KEPT = 40_000_000;
/** Counted for each form besides its texts, in the same unit. */
const LEAST_KEPT = 40_000;

/**
 * Caches the forms that were answered lately. Another process may change a form at any time, so the intake compares revisions
 * when it stores: an outdated form never lets a submission in.
 */
export function createPublishedForms(
  db: Db,
  engines: FieldEngines,
  context: Pick<Context, 'baseUrl' | 'secrets' | 'config'>,
): PublishedForms {
  const byRef = new SizedCache<string, PublishedForm>(MAX_KEPT);

  async function find(written: string): Promise<PublishedForm | null> {
    // All spellings of a UUID share an entry, or a visitor could fill the cache with one form.
    const ref = parseUuid(written) ?? written;
    const cached = byRef.get(ref);
    if (cached) return cached;
    const row = await findPublishedForm(db, ref);
    if (!row) return null;
    // A form found by a former slug is cached under its present one only: another form may take the former slug at any time.
    const key = ref === row.uuid ? ref : row.slug;
    const known = byRef.get(key);
    if (known?.id === row.id && known.revision === row.revision) return known;
    const form = preparePublishedForm(row, engines, linkSource(context));
    const characters = JSON.stringify([row.properties, row.presentation]).length;
    byRef.set(key, form, (LEAST_KEPT + characters) * form.languages.length);
    return form;
  }

  function forget(formId: number): void {
    byRef.deleteAll(({ id }) => id === formId);
  }

  async function isCurrent(form: PublishedForm): Promise<boolean> {
    if ((await formRevision(db, form.id)) === form.revision) return true;
    forget(form.id);
    return false;
  }

  async function findCurrent(ref: string): Promise<PublishedForm | null> {
    const form = await find(ref);
    return form && !(await isCurrent(form)) ? find(ref) : form;
  }

  return { find, findCurrent, isCurrent, forget };
}
