import { serverEngines } from '../../../fields/server-engines.ts';
import { hashToken } from '../../access/token-format.ts';
import type { Context } from '../../context.ts';
import { linkSource } from '../../files/file-links.ts';
import { type PublishedForm, preparePublishedForm } from '../../submissions/published-form/published-form.ts';
import { findPreview } from './queries.ts';

/** A form that exists only for its preview. */
export interface PreviewedForm {
  form: PublishedForm;
  showsCode: boolean;
}

/** No form or workspace has this id. */
const NONE = 0;

/**
 * The form of a preview link, as pages show forms; null for a link that has expired. It is not cached. With its slug and
 * id all addresses that a page makes lead back to the preview. It takes no partial submissions, keeps no answers on the device, asks for no password, and is
 * not to be indexed.
 */
export async function findPreviewedForm(context: Context, token: string): Promise<PreviewedForm | null> {
  const found = await findPreview(context.db, hashToken(token));
  if (!found) return null;
  const { title, closes_at, properties, presentation } = found.definition;
  const address = `preview/${token}`;
  const row = {
    id: NONE,
    workspaceId: NONE,
    uuid: address,
    slug: address,
    title,
    visibility: 'public',
    revision: 0,
    updatedAt: new Date(),
    closesAt: closes_at === null ? null : new Date(closes_at),
    maxFileSize: found.max_file_size,
    fileLinkSeconds: 0,
    passwordHash: null,
    personalLinks: null,
    properties,
    presentation: {
      ...presentation,
      auto_save: false,
      settings: { ...presentation.settings, works_offline: false, public_results: null },
      enable_partial_submissions: false,
      can_be_indexed: false,
    } as object as Record<string, never>,
    integrations: [],
  };
  const form = preparePublishedForm(row, serverEngines, linkSource(context));
  return { form: { ...form, isClosed: () => false }, showsCode: found.shows_code };
}
