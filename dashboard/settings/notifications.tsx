import { Link, useParams } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import { buttonClasses } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';

/** A link to the integrations, which notify people of new submissions. */
export function Notifications() {
  const params = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  return (
    <EmptyState
      icon={<BellRing />}
      title="Told by integrations"
      action={
        <Link
          to="/workspaces/$workspaceId/forms/$formId/integrations"
          params={params}
          className={buttonClasses('primary')}
        >
          To the integrations
        </Link>
      }
    >
      Every new response can be sent on at once, under a condition if you like: as a mail to you, as a
      confirmation to whoever filled in the form, with a signed webhook, or through an automation platform.
    </EmptyState>
  );
}
