import { queryOptions } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Form } from '../api/queries.ts';
import { formatDistance, formatMoment } from '../lib/format.ts';
import { buttonClasses } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { Cell, HeadCell, Row, Table } from '../ui/table.tsx';
import { fetchPage, nameOf, responsesKey, type Submission } from './queries.ts';
import { ResponseCell } from './table/cell.tsx';
import { columnsOf } from './table/columns.ts';

/** Responses shown. */
const COUNT = 5;
/** Questions whose answers are shown, enough to tell one from another. Phones have room for the first. */
const QUESTIONS = 2;
const ANSWER = 'w-1/2 max-w-0';

export const latestQuery = (form: string) =>
  queryOptions({
    queryKey: [...responsesKey(form), 'latest'],
    queryFn: async ({ signal }) => (await fetchPage(form, {}, { per_page: COUNT }, signal)).rows,
  });

interface LatestResponsesProps {
  form: Form;
  /** Undefined while they are loading. */
  rows: readonly Submission[] | undefined;
  /** Of the link to all of them. */
  look: 'primary' | 'plain';
}

/** The responses that came last, each with its answers to the first questions. */
export function LatestResponses({ form, rows, look }: LatestResponsesProps) {
  const params = { workspaceId: String(form.workspace_id), formId: String(form.id) };
  const asked = columnsOf(form)
    .filter(({ property, isRemoved }) => property && !isRemoved)
    .slice(0, QUESTIONS);
  const placeOf = (index: number) => (index === 0 ? ANSWER : `${ANSWER} hidden sm:table-cell`);
  return (
    <Card
      title="Latest responses"
      actions={
        <Link
          to="/workspaces/$workspaceId/forms/$formId/responses"
          params={params}
          className={buttonClasses(look)}
        >
          See responses
        </Link>
      }
    >
      <Table label="Latest responses">
        <thead>
          <tr>
            <HeadCell>Sent</HeadCell>
            {asked.map(({ key, label }, index) => (
              <HeadCell key={key} className={`${placeOf(index)} truncate`} title={label}>
                <bdi>{label}</bdi>
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined ? (
            <SkeletonRows rows={COUNT} columns={asked.length + 1} cells={{ 1: placeOf(0), 2: placeOf(1) }} />
          ) : (
            rows.map((row) => (
              <Row key={row.id}>
                <Cell className="whitespace-nowrap">
                  <Link
                    to="/workspaces/$workspaceId/forms/$formId/responses/$submissionId"
                    params={{ ...params, submissionId: nameOf(row) }}
                    title={formatMoment(row.created_at)}
                    className="font-medium hover:underline"
                  >
                    <time dateTime={row.created_at}>{formatDistance(row.created_at)}</time>
                  </Link>
                </Cell>
                {asked.map((column, index) => (
                  <Cell key={column.key} className={placeOf(index)}>
                    <ResponseCell column={column} row={row} />
                  </Cell>
                ))}
              </Row>
            ))
          )}
        </tbody>
      </Table>
    </Card>
  );
}
