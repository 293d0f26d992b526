import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { type Token, tokensQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDay, formatDistance } from '../../lib/format.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Load } from '../../ui/load.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { NewToken } from './new-token.tsx';

const STATES: Record<Token['status'], [string, Tone]> = {
  active: ['Active', 'good'],
  expired: ['Expired', 'warn'],
  unused: ['Stopped: unused for a year', 'warn'],
};

export function AccountTokens() {
  const tokens = useQuery(tokensQuery);
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setCreating(true)}>
      New token
    </Button>
  );
  return (
    <>
      <Card
        title="Access tokens"
        description={
          <>
            For programs and assistants that use the API in your name.{' '}
            <a href="/api" target="_blank" rel="noreferrer" className="text-accent underline">
              API reference
            </a>
          </>
        }
        actions={create}
      >
        <Load query={tokens} skeleton={<Skeleton className="h-24" />}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState icon={<KeyRound />} title="No tokens yet">
                A token can do what you allow it, and no more.
              </EmptyState>
            ) : (
              <ul className="-mb-4 divide-y divide-line">
                {rows.map((token) => (
                  <TokenRow key={token.id} token={token} />
                ))}
              </ul>
            )
          }
        </Load>
      </Card>
      <NewToken isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}

function TokenRow({ token }: { token: Token }) {
  const [isRevoking, setRevoking] = useState(false);
  const revoke = useAction(() => api.delete('/settings/tokens/{tokenId}', { path: { tokenId: token.id } }), {
    refresh: [tokensQuery.queryKey],
    refreshesAnyway: true,
    toast: `“${token.name}” no longer works.`,
    onDone: () => setRevoking(false),
  });
  const [state, tone] = STATES[token.status];
  const facts = [
    `${token.token_start}…`,
    token.last_used_at ? `used ${formatDistance(token.last_used_at)}` : 'never used',
    token.expires_at ? `until ${formatDay(token.expires_at)}` : 'never expires',
  ];
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-4">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5">
        <span className="flex items-center gap-2">
          <bdi className="truncate font-medium" title={token.name}>
            {token.name}
          </bdi>
          <Badge tone={tone}>{state}</Badge>
        </span>
        <span className="text-muted">{facts.join(' · ')}</span>
        <span className="flex flex-wrap gap-1">
          {token.abilities.map((ability) => (
            <Badge key={ability}>{ability}</Badge>
          ))}
        </span>
      </div>
      <Button size="sm" onClick={() => setRevoking(true)} aria-label={`Revoke ${token.name}`}>
        Revoke
      </Button>
      <ConfirmDialog
        isOpen={isRevoking}
        onClose={() => setRevoking(false)}
        title={`Revoke “${token.name}”?`}
        action="Revoke"
        typed={token.name}
        isRunning={revoke.isRunning}
        onConfirm={() => revoke.run()}
      >
        <p>Whatever uses it is refused from now on. This cannot be undone.</p>
      </ConfirmDialog>
    </li>
  );
}
