import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../lib/format.ts';
import { setAsideCountQuery } from './set-aside.ts';

/** A link to what was set aside as suspected spam, if there is anything. */
export function SetAsideLink({ formPath }: { formPath: { workspaceId: string; formId: string } }) {
  const { data: count } = useQuery(setAsideCountQuery(formPath.formId));
  if (!count) return null;
  return (
    <>
      {' · '}
      <Link
        to="/workspaces/$workspaceId/forms/$formId/responses/set-aside"
        params={formPath}
        className="underline underline-offset-2 hover:text-ink"
      >
        Set aside ({formatNumber(count)})
      </Link>
    </>
  );
}
