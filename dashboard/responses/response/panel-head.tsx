import { ChevronDown, ChevronUp, Ellipsis, Link2, Pencil, Printer, Trash2, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode, Ref } from 'react';
import { formatMoment, formatMomentShortly } from '../../lib/format.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { Submission } from '../queries.ts';
import { StatusBadge } from '../table/cell.tsx';

export const UNSAVED = 'Save or cancel first';

interface Way {
  go(): void;
  refusal: string | null;
}

interface PanelHeadProps {
  /** Undefined while it is loaded, or if it is gone. */
  response: Submission | undefined;
  toFormer: Way;
  toNext: Way;
  onClose(): void;
  /** What can be done with the response. */
  children: ReactNode;
}

/** The line above an open response. */
export function PanelHead({ response, toFormer, toNext, onClose, children }: PanelHeadProps) {
  return (
    <div className="flex items-center gap-1 border-b border-line px-4 py-2.5 print:border-0 print:pt-0 @max-3xs/screen:flex-wrap">
      {/* Said when another response is opened with the keys or buttons. */}
      <Dialog.Title
        aria-live="polite"
        className="me-auto flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-[0.8125rem] leading-tight font-semibold sm:text-base"
      >
        {response ? <Sent at={response.created_at} /> : 'Response'}
        {response?.status === 'partial' && <StatusBadge status="partial" />}
        {response && <span className="sr-only"> (number {response.id})</span>}
      </Dialog.Title>
      <IconButton label="Previous (k)" size="sm" disabledReason={toFormer.refusal} onClick={toFormer.go}>
        <ChevronUp className="size-4" />
      </IconButton>
      <IconButton label="Next (j)" size="sm" disabledReason={toNext.refusal} onClick={toNext.go}>
        <ChevronDown className="size-4" />
      </IconButton>
      {children}
      <IconButton label="Close" size="sm" onClick={onClose}>
        <X className="size-4" />
      </IconButton>
    </div>
  );
}

/** Without the year if it is this one; on paper, which is kept, with it. */
function Sent({ at }: { at: string }) {
  return (
    <>
      <span title={formatMoment(at)} className="print:hidden">
        {formatMomentShortly(at)}
      </span>
      <span className="hidden print:inline">{formatMoment(at)}</span>
    </>
  );
}

interface PanelActionsProps {
  printAddress: string;
  isEditing: boolean;
  editButton: Ref<HTMLButtonElement>;
  onEdit(): void;
  onTrash(): void;
}

export function PanelActions({ printAddress, isEditing, editButton, onEdit, onTrash }: PanelActionsProps) {
  const refusal = useRefusal('user');
  return (
    <>
      <IconButton
        ref={editButton}
        label="Edit"
        size="sm"
        disabledReason={refusal}
        aria-pressed={isEditing}
        onClick={onEdit}
      >
        <Pencil className="size-4" />
      </IconButton>
      <IconButton
        label="Move to trash"
        size="sm"
        disabledReason={refusal ?? (isEditing ? UNSAVED : null)}
        onClick={onTrash}
      >
        <Trash2 className="size-4" />
      </IconButton>
      <Menu
        trigger={
          <IconButton label="More for this response" size="sm">
            <Ellipsis className="size-4" />
          </IconButton>
        }
      >
        <MenuItem asChild>
          <a href={printAddress} target="_blank" rel="noreferrer">
            <Printer /> Print or save as PDF
          </a>
        </MenuItem>
        <MenuItem
          icon={<Link2 />}
          onSelect={async () => {
            if (await copyText(window.location.href)) showToast({ text: 'The link was copied.' });
          }}
        >
          Copy link
        </MenuItem>
      </Menu>
    </>
  );
}
