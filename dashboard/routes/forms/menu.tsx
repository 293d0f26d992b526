import { useNavigate } from '@tanstack/react-router';
import {
  Copy,
  Ellipsis,
  ExternalLink,
  FolderInput,
  Link2,
  LockKeyhole,
  LockOpen,
  RefreshCw,
  Trash2,
  Undo2,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { type FormSummary, keysOfForm } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { saveRest } from '../../form-builder/saving/running-save.ts';
import { isYetToBePublished } from '../../lib/publishing.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { DeleteFormDialog, NewLinkDialog } from '../../settings/form-dialogs.tsx';
import { useTrash } from '../../settings/use-trash.ts';
import { IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { MoveForm, useMoveRefusal } from './move.tsx';

type Shown = Pick<
  FormSummary,
  | 'id'
  | 'workspace_id'
  | 'title'
  | 'share_url'
  | 'submissions_count'
  | 'visibility'
  | 'is_closed'
  | 'trash_ends_at'
>;
type Asked = 'link' | 'move' | null;

interface FormMenuProps {
  form: Shown;
  /** Leaves the screens of the form. */
  onDeleted?: () => void | Promise<void>;
}

/** Actions on a whole form. */
export function FormMenu(props: FormMenuProps) {
  return props.form.trash_ends_at ? <TrashedMenu {...props} /> : <LivingMenu {...props} />;
}

function TrashedMenu({ form, onDeleted }: FormMenuProps) {
  const refusal = useRefusal('user');
  const { restore } = useTrash(form);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <MoreMenu form={form}>
        <MenuItem icon={<Undo2 />} disabledReason={refusal} onSelect={() => restore.run()}>
          Restore
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} isDangerous disabledReason={refusal} onSelect={() => setAsking(true)}>
          Delete for good
        </MenuItem>
      </MoreMenu>
      <DeleteFormDialog
        form={form}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onDeleted={onDeleted}
      />
    </>
  );
}

function MoreMenu({ form, children }: { form: Shown; children: ReactNode }) {
  return (
    <Menu
      trigger={
        <IconButton label={`More for ${form.title}`}>
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      {children}
    </Menu>
  );
}

function LivingMenu({ form, onDeleted }: FormMenuProps) {
  const refusal = useRefusal('user');
  const moveRefusal = useMoveRefusal(form);
  const [asked, setAsked] = useState<Asked>(null);
  const { duplicate, setVisibility, open } = useFormActions(form);
  const { trash } = useTrash(form, onDeleted);
  const isOpen = form.visibility === 'public';
  return (
    <>
      <MoreMenu form={form}>
        <MenuItem
          icon={<Link2 />}
          onSelect={async () => {
            if (await copyText(form.share_url)) showToast({ text: 'The link was copied.' });
          }}
        >
          Copy link
        </MenuItem>
        {form.visibility !== 'draft' && (
          <MenuItem asChild>
            <a href={form.share_url} target="_blank" rel="noreferrer">
              <ExternalLink /> Open the public page
            </a>
          </MenuItem>
        )}
        <MenuItem icon={<Copy />} disabledReason={refusal} onSelect={() => duplicate.run()}>
          Duplicate
        </MenuItem>
        <MenuItem icon={<FolderInput />} disabledReason={moveRefusal} onSelect={() => setAsked('move')}>
          Move to workspace
        </MenuItem>
        <MenuItem
          icon={isOpen ? <LockKeyhole /> : <LockOpen />}
          disabledReason={refusal}
          onSelect={() => (isOpen ? setVisibility.run('closed') : open.run())}
        >
          {isOpen ? 'Close' : form.visibility === 'draft' ? 'Publish' : 'Open again'}
        </MenuItem>
        <MenuItem icon={<RefreshCw />} disabledReason={refusal} onSelect={() => setAsked('link')}>
          Regenerate link
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} isDangerous disabledReason={refusal} onSelect={() => trash.run()}>
          Move to trash
        </MenuItem>
      </MoreMenu>
      <MoveForm form={form} isOpen={asked === 'move'} onClose={() => setAsked(null)} />
      <NewLinkDialog form={form} isOpen={asked === 'link'} onClose={() => setAsked(null)} />
    </>
  );
}

function useFormActions(form: Shown) {
  const navigate = useNavigate();
  const path = { form: form.id };
  const params = { workspaceId: String(form.workspace_id), formId: String(form.id) };
  const refresh = keysOfForm(form);
  const setVisibility = useAction(
    (visibility: 'public' | 'closed') => api.put('/open/forms/{form}', { path, body: { visibility } }),
    {
      refresh,
      onDone: (_, visibility) =>
        showToast({
          text: visibility === 'public' ? 'The form is open to answers.' : 'The form is closed.',
          undo: () => setVisibility.run(visibility === 'public' ? 'closed' : 'public'),
        }),
    },
  );
  const open = useAction(() => api.get('/open/forms/{form}', { path }), {
    leadsTo: (now) =>
      isYetToBePublished(now) &&
      navigate({
        to: '/workspaces/$workspaceId/forms/$formId/build',
        params,
        search: { publish: true },
      }),
    onDone: (now) => !isYetToBePublished(now) && setVisibility.run('public'),
  });
  const duplicate = useAction(
    async () => {
      // Unpublished changes are copied too, so they are saved first.
      await saveRest();
      // The copy of an open form would take answers at once, before anybody has looked at it.
      return api.post('/open/forms/{form}/duplicate', { path, query: { visibility: 'draft' } });
    },
    {
      refresh,
      toast: 'The copy is a draft until you publish it.',
      leadsTo: ({ new_form }) =>
        navigate({
          to: '/workspaces/$workspaceId/forms/$formId',
          params: { ...params, formId: String(new_form.id) },
        }),
    },
  );
  return { duplicate, setVisibility, open };
}
