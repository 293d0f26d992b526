import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { invitesQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { personQuery } from './queries.ts';

type Counts = Record<string, number>;

/** Erases everything stored about a person call by call, then searches again to show what is left. */
export function useErasure(workspaceId: number, value: string, onEnd: () => void) {
  const client = useQueryClient();
  const [erased, setErased] = useState<Counts | null>(null);
  const erase = useAction(async () => {
    const sum: Counts = {};
    try {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const answer = await eraseSome(workspaceId, value, cursor);
        for (const [kind, count] of Object.entries(answer.erased))
          sum[kind] = (sum[kind] ?? 0) + Number(count);
        cursor = answer.cursor;
      }
    } finally {
      for (const queryKey of [
        ['workspaces', workspaceId, 'forms'],
        invitesQuery(workspaceId).queryKey,
        ['forms'],
        ['submissions'],
        ['statistics'],
      ])
        void client.invalidateQueries({ queryKey });
      await client.resetQueries({ queryKey: personQuery(workspaceId, value).queryKey });
      // Shows what was erased before a failure too.
      if (Object.keys(sum).length > 0) setErased(sum);
      onEnd();
    }
  });
  return { erased, erase };
}

function eraseSome(workspaceId: number, value: string, cursor: string | undefined) {
  return api.post('/open/workspaces/{workspaceId}/people/erase', {
    path: { workspaceId },
    body: { value, ...(cursor !== undefined && { cursor }) },
  });
}
