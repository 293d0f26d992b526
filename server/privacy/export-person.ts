import type { Context } from '../context.ts';
import { linkSeconds, linkSource } from '../files/file-links.ts';
import { findDrafts } from './find-person.ts';
import type { PersonValue } from './person-value.ts';
import { presentDraft, presentHit } from './present-person.ts';
import { START, search } from './search.ts';
import { findInvites, findLinkPolicy } from './search-queries.ts';

type Parts = Pick<Context, 'db' | 'secrets' | 'baseUrl'>;

/**
 * Everything that is stored of a person in a workspace (null = in all of them), as the text of one JSON document. Written while it
 * is found, so it may be of any length.
 */
export async function* personDocument(
  context: Parts,
  workspaceId: number | null,
  value: PersonValue,
  leaving?: AbortSignal,
): AsyncGenerator<string> {
  const { db } = context;
  const source = linkSource(context);
  const seconds = linkSeconds(workspaceId === null ? null : await findLinkPolicy(db, workspaceId));
  const head = {
    value: value.text,
    exported_at: new Date().toISOString(),
    file_links_expire_at: new Date(Date.now() + seconds * 1000).toISOString(),
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "submissions": [`;
  let separator = '\n';
  for await (const { hits } of search(db, workspaceId, value, START, leaving)) {
    for (const hit of hits) {
      yield separator + indented(presentHit(hit, source, seconds));
      separator = ',\n';
    }
  }
  const drafts = (await findDrafts(db, workspaceId, value)).map(presentDraft);
  const invites = (await findInvites(db, workspaceId, value)).map(({ created_at, ...invite }) => ({
    ...invite,
    created_at: created_at.toISOString(),
  }));
  yield `\n  ],\n${JSON.stringify({ drafts, invites }, null, 2).slice(2)}\n`;
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^/gm, '    ');
}
