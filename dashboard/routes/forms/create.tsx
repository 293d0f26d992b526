import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { api, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { Dialog, HoldDialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const Gallery = lazy(async () => ({ default: (await import('../../templates/gallery.tsx')).Gallery }));

/** Creates a form as a draft: blank, from a template, from another product, or from JSON. Then opens the builder. */
export function CreateForm({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const create = useAction(
    (form: { title: string; [key: string]: unknown }) =>
      api.post('/open/forms', {
        body: { ...form, workspace_id: workspace.id, visibility: 'draft' } as Body<'/open/forms', 'post'>,
      }),
    {
      refresh: [['workspaces', workspace.id, 'forms']],
      leadsTo: (form) =>
        navigate({
          to: '/workspaces/$workspaceId/forms/$formId/build',
          params: { workspaceId: String(workspace.id), formId: String(form.id) },
        }),
    },
  );
  const close = () => {
    create.reset();
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title="New form" size="lg">
      <Suspense fallback={<Skeleton className="h-96 rounded-xl" />}>
        <Gallery onCreate={create.run} onClose={close} isRunning={create.isRunning} errors={create.errors} />
      </Suspense>
      {/* After creating it goes to the new form by itself. */}
      <HoldDialog isHeld={create.isRunning} />
    </Dialog>
  );
}
