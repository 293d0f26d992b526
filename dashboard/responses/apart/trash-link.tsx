import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../lib/format.ts';
import { trashCountQuery } from './trash.ts';

/** Stands between dots with the other parts of its line. */
export const PART_OF_LINE = "not-first:before:mx-1.5 not-first:before:content-['·']";

/** A link to the trash, if there is anything in it. */
export function TrashLink({ formPath }: { formPath: { workspaceId: string; formId: string } }) {
  const { data: count } = useQuery(trashCountQuery(formPath.formId));
  if (!count) return null;
  return (
    <span className={PART_OF_LINE}>
      <Link
        to="/workspaces/$workspaceId/forms/$formId/responses/trash"
        params={formPath}
        className="underline underline-offset-2 hover:text-ink"
      >
        {formatNumber(count)} in the trash
      </Link>
    </span>
  );
}
