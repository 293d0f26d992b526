import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../lib/format.ts';
import { setAsideCountQuery } from './set-aside.ts';
import { PART_OF_LINE } from './trash-link.tsx';
import { WAITING, type WaitingKind } from './waiting-kinds.ts';

interface SetAsideLinkProps {
  formPath: { workspaceId: string; formId: string };
  kind: WaitingKind;
}

/** A link to what waits apart from the responses, if there is anything. */
export function SetAsideLink({ formPath, kind }: SetAsideLinkProps) {
  const { data: count } = useQuery(setAsideCountQuery(formPath.formId, kind));
  if (!count) return null;
  const { path, title } = WAITING[kind];
  return (
    <span className={PART_OF_LINE}>
      <Link to={path} params={formPath} className="underline underline-offset-2 hover:text-ink">
        {title} ({formatNumber(count)})
      </Link>
    </span>
  );
}
