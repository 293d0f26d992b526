import { formatCount } from '../lib/format.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import type { Found } from './found.ts';

interface EraseDialogProps {
  /** What was found when the user asked to erase; null while the dialog is closed. */
  asked: Found | null;
  value: string;
  isRunning: boolean;
  onClose(): void;
  onConfirm(): void;
}

/** Says what will be erased and what stays. */
export function EraseDialog({ asked, value, isRunning, onClose, onConfirm }: EraseDialogProps) {
  return (
    <ConfirmDialog
      isOpen={asked !== null}
      onClose={onClose}
      title="Erase all of this person’s data?"
      action="Erase for good"
      typed={value}
      isRunning={isRunning}
      onConfirm={onConfirm}
    >
      {asked && <Consequences found={asked} />}
    </ConfirmDialog>
  );
}

function Consequences({
  found: {
    isEmail,
    responses,
    formsOfResponses,
    corrected,
    files,
    payments,
    owed,
    drafts,
    invites,
    recipients,
  },
}: {
  found: Found;
}) {
  return (
    <>
      {!isEmail && responses > 0 && (
        <p className="text-warn">
          Everybody who gave this answer is erased. Look through the responses first: are all of them this
          person’s?
        </p>
      )}
      {owed > 0 && (
        <p className="text-warn">
          {formatCount(owed, 'response is', 'responses are')} paid, but not taken in. Pay the money back at
          Stripe first: once {owed === 1 ? 'it is' : 'they are'} erased, nothing here tells of it.
        </p>
      )}
      <p className="font-medium text-ink">Erased, for everybody:</p>
      <ul className="list-disc ps-5">
        {responses > 0 && (
          <>
            <li>
              {formatCount(responses, 'response')} in {formatCount(formsOfResponses, 'form')}, with every
              answer
              {files > 0 && ` and ${formatCount(files, 'file')}`}
            </li>
            <li>
              what members noted about them, what the log of deliveries keeps of them, and exports that hold
              one of them
            </li>
          </>
        )}
        {corrected > 0 && (
          <li>
            what {formatCount(corrected, 'response')} said before, in the log of deliveries too, and exports
            that hold one of them; what {corrected === 1 ? 'it says' : 'they say'} now stays
          </li>
        )}
        {drafts > 0 && <li>{formatCount(drafts, 'draft')}, with what was uploaded there</li>}
        {recipients > 0 && (
          <li>
            {formatCount(recipients, 'place on a list of recipients', 'places on lists of recipients')}, with
            what came by the personal link
          </li>
        )}
        {invites > 0 && <li>{formatCount(invites, 'invitation')} into this workspace</li>}
      </ul>
      <p className="font-medium text-ink">Not erased:</p>
      <ul className="list-disc ps-5">
        <li>what webhooks and mails delivered, and what somebody downloaded</li>
        {payments > 0 && <li>payments at Stripe, and what it knows of who paid</li>}
        <li>backups made before</li>
        <li>entries of the audit log, and accounts of members</li>
      </ul>
      <p>This cannot be taken back.</p>
    </>
  );
}
