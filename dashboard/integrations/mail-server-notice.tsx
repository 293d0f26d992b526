import { useUser } from '../lib/workspace.ts';
import { Notice } from '../ui/states.tsx';

/** Information before a mail is added. */
export function MailServerNotice() {
  if (useUser().service_sends_mail) return null;
  return (
    <Notice tone="warn">
      This service has no mail server yet. Mails wait until whoever runs it sets one (<code>SMTP_URL</code>).
    </Notice>
  );
}
