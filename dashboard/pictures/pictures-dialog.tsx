import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError, api } from '../api/client.ts';
import { type Picture, picturesQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { formatDay } from '../lib/format.ts';
import { useHasLeft } from '../lib/use-has-left.ts';
import { useRefusal, useWorkspace } from '../lib/workspace.ts';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { FileInput } from '../ui/input.tsx';
import { Load } from '../ui/load.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { lighten, PICTURE_TYPES } from './lighten.ts';

interface PicturesDialogProps {
  isOpen: boolean;
  onClose(): void;
  /** @param url the picture's address, as forms store it */
  onChoose(url: string): void;
}

/** The workspace's pictures to choose from, with an upload. */
export function PicturesDialog({ isOpen, onClose, onChoose }: PicturesDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Choose a picture" size="lg">
      {isOpen && <Choice onChoose={onChoose} />}
    </Dialog>
  );
}

function Choice({ onChoose }: Pick<PicturesDialogProps, 'onChoose'>) {
  const { id: workspaceId } = useWorkspace();
  const query = useQuery(picturesQuery(workspaceId));
  return (
    <div className="grid gap-5">
      <Upload workspaceId={workspaceId} onDone={onChoose} />
      <Load query={query} skeleton={<Skeleton className="h-24" />}>
        {(pictures) =>
          pictures.length > 0 && (
            <Pictures workspaceId={workspaceId} pictures={pictures} onChoose={onChoose} />
          )
        }
      </Load>
    </div>
  );
}

function Upload({ workspaceId, onDone }: { workspaceId: number; onDone(url: string): void }) {
  const hasLeft = useHasLeft();
  const upload = useAction(
    async (file: File) => {
      const body = await lighten(file);
      return api.post('/open/workspaces/{workspaceId}/pictures', { path: { workspaceId }, body });
    },
    {
      refresh: [picturesQuery(workspaceId).queryKey],
      // In a closed dialog nothing is chosen any more; the picture is there the next time.
      onDone: ({ url }) => !hasLeft() && onDone(url),
    },
  );
  return (
    <Field
      name="picture"
      label="Upload a picture"
      hint="PNG, JPEG, GIF, WebP, AVIF or SVG. Large ones and photos are made smaller. Whoever has the address of a picture can see it."
      errors={upload.errors}
    >
      <FileInput accept={PICTURE_TYPES} onChoose={upload.run} />
      {upload.isRunning && (
        <p className="flex items-center gap-2 text-muted" aria-live="polite">
          <Spinner /> Uploading …
        </p>
      )}
    </Field>
  );
}

interface PicturesProps {
  workspaceId: number;
  /** Newest first. */
  pictures: Picture[];
  onChoose(url: string): void;
}

function Pictures({ workspaceId, pictures, onChoose }: PicturesProps) {
  const [removed, setRemoved] = useState<Picture | null>(null);
  const refusal = useRefusal('user');
  const remove = useAction(
    ({ name }: Picture) =>
      api
        .delete('/open/workspaces/{workspaceId}/pictures/{picture}', { path: { workspaceId, picture: name } })
        .catch(tellForms),
    {
      refresh: [picturesQuery(workspaceId).queryKey],
      toast: 'Picture removed.',
      onDone: () => setRemoved(null),
    },
  );
  return (
    <section className="grid gap-2">
      <h3 className="font-medium">Pictures of this workspace</h3>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {pictures.map((picture, index) => {
          const name = `picture ${index + 1}, added ${formatDay(picture.created_at)}`;
          return (
            <li key={picture.name} className="relative">
              <button
                type="button"
                aria-label={`Choose ${name}`}
                className="block w-full rounded-lg border border-line bg-surface p-1 hover:border-edge"
                onClick={() => onChoose(picture.url)}
              >
                <img src={picture.url} alt="" loading="lazy" className="h-24 w-full object-contain" />
              </button>
              <span className="absolute inset-e-1 top-1 rounded-lg bg-raised/85">
                <IconButton
                  size="sm"
                  label={`Remove ${name}`}
                  disabledReason={refusal}
                  onClick={() => setRemoved(picture)}
                >
                  <Trash2 className="size-4" />
                </IconButton>
              </span>
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
        title="Remove this picture?"
        action="Remove picture"
        isRunning={remove.isRunning}
        onConfirm={() => removed && remove.run(removed)}
      >
        <p>Earlier versions of forms that show it, and other sites that do, show nothing in its place.</p>
      </ConfirmDialog>
    </section>
  );
}

/** @throws the error with the message that forms show for it */
function tellForms(error: unknown): never {
  if (!(error instanceof ApiError) || error.members.error !== 'picture_in_use') throw error;
  const forms = (error.members.forms as string[]).map((title) => `“${title}”`).join(', ');
  throw new ApiError(error.status, `It is shown in ${forms}. Take it out there first, and publish that.`);
}
