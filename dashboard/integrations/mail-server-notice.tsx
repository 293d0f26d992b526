import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../lib/workspace.ts';
import { Notice } from '../ui/states.tsx';

/** Information before a mail is added. */
export function MailServerNotice() {
  const { id, mail_is_set_up } = useWorkspace();
  if (mail_is_set_up) return null;
  return (
    <Notice tone="warn">
      There is no mail server yet. Mails wait until an admin sets one in the{' '}
      <Link to="/workspaces/$workspaceId/settings" params={{ workspaceId: String(id) }} className="underline">
        settings of the workspace
      </Link>
      , or whoever runs this service does (<code>SMTP_URL</code>).
    </Notice>
  );
}
