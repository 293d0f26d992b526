import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../lib/format.ts';
import { trashQuery } from './trash.ts';

/** The way to the trash, where there is anything in it. */
export function TrashLink({ formPath }: { formPath: { workspaceId: string; formId: string } }) {
  const { data } = useQuery(trashQuery(formPath.formId, 1));
  if (!data?.total) return null;
  return (
    <>
      {' · '}
      <Link
        to="/workspaces/$workspaceId/forms/$formId/responses/trash"
        params={formPath}
        className="underline underline-offset-2 hover:text-ink"
      >
        {formatNumber(data.total)} in the trash
      </Link>
    </>
  );
}
