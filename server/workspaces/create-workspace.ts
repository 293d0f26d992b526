import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Transaction } from '../db/database.ts';
import { insertWorkspace, type Workspace } from './queries.ts';

/** Adds a workspace whose only member is its creator, as admin. */
export async function createWorkspace(
  trx: Transaction,
  wanted: { name: string; icon: string },
  creatorId: number,
  actor: Actor,
): Promise<Workspace> {
  const workspace = await insertWorkspace(trx, wanted, creatorId);
  await recordEvent(trx, actor, { verb: 'workspace.created', workspaceId: workspace.id });
  return workspace;
}
