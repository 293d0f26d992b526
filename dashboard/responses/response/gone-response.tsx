import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Form } from '../../api/queries.ts';
import { formatMoment } from '../../lib/format.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { EmptyState, Notice } from '../../ui/states.tsx';
import { trashedQuery, useRestore } from '../apart/trash.ts';
import { ResponseView } from './response-view.tsx';

interface GoneResponseProps {
  form: Form;
  formPath: { workspaceId: string; formId: string };
  /** Id or UUID from the address. */
  submissionId: string;
  skeleton: ReactNode;
}

/** Shown in place of a response that the form no longer has: it may be in the trash. */
export function GoneResponse({ form, formPath, submissionId, skeleton }: GoneResponseProps) {
  const trashed = useQuery(trashedQuery(formPath.formId, submissionId));
  const restore = useRestore(formPath.formId);
  const refusal = useRefusal('user');
  return (
    <Load query={trashed} skeleton={skeleton}>
      {(response) =>
        response === null ? (
          <EmptyState icon={<Inbox />} title="This response no longer exists">
            It was deleted for good, or the link is incomplete.
          </EmptyState>
        ) : (
          <>
            <div className="mb-5">
              <Notice tone="warn">
                <p role="status">
                  This response is in the trash. It will be deleted on {formatMoment(response.trash_ends_at)}.
                </p>
                <div className="mt-2 flex flex-wrap gap-2">
                  <Button
                    size="sm"
                    disabledReason={refusal}
                    isRunning={restore.isRunning}
                    onClick={() => restore.run([response.id])}
                  >
                    Restore
                  </Button>
                  <Link
                    to="/workspaces/$workspaceId/forms/$formId/responses/trash"
                    params={formPath}
                    className={buttonClasses('quiet', 'sm')}
                  >
                    Open trash
                  </Link>
                </div>
              </Notice>
            </div>
            <ResponseView form={form} response={response} isOnlyAnswered={false} />
          </>
        )
      }
    </Load>
  );
}
