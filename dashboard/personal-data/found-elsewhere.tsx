import { Link } from '@tanstack/react-router';
import { formatCount, formatMoment } from '../lib/format.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { Card } from '../ui/page.tsx';
import { erasedText, type Found } from './found.ts';

/** What is stored about a person besides responses. */
export function FoundElsewhere({ found: { drafts, invites, recipients } }: { found: Found }) {
  const { id } = useWorkspace();
  if (drafts + invites + recipients === 0) return null;
  return (
    <Card title="Also found">
      <ul className="grid gap-2">
        {drafts > 0 && (
          <li>
            {formatCount(drafts, 'draft')}:{' '}
            <span className="text-muted">typed and not sent, kept for a day. Download it to read it.</span>
          </li>
        )}
        {recipients > 0 && (
          <li>
            {formatCount(recipients, 'place on a list of recipients', 'places on lists of recipients')}:{' '}
            <span className="text-muted">what came by the personal link is among the responses above.</span>
          </li>
        )}
        {invites > 0 && (
          <li>
            {formatCount(invites, 'invitation')}{' '}
            <span className="text-muted">
              into this workspace, see{' '}
              <Link
                to="/workspaces/$workspaceId/members"
                params={{ workspaceId: String(id) }}
                className="text-accent underline underline-offset-2"
              >
                Members
              </Link>
              .
            </span>
          </li>
        )}
      </ul>
    </Card>
  );
}

/** Earlier erasures of this value in this workspace, by anybody. */
export function EarlierErasures({ erasures }: Pick<Found, 'erasures'>) {
  if (erasures.length === 0) return null;
  return (
    <Card title="Erased before">
      <ul className="grid gap-2">
        {erasures.toReversed().map(({ id, erased_at, counts }) => (
          <li key={id}>
            <time dateTime={erased_at}>{formatMoment(erased_at)}</time>:{' '}
            <span className="text-muted">{erasedText(counts)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
