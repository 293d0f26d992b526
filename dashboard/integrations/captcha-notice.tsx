import { Link, useParams } from '@tanstack/react-router';
import { Notice } from '../ui/states.tsx';

/** Advice for forms that send mail to addresses anybody can type. */
export function CaptchaNotice() {
  const params = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  return (
    <Notice>
      Anybody can type somebody else’s address. Turn on the{' '}
      <Link
        to="/workspaces/$workspaceId/forms/$formId/settings"
        params={params}
        search={{ part: 'access' }}
        className="text-accent underline"
      >
        captcha of the form
      </Link>{' '}
      before you send confirmations.
    </Notice>
  );
}
