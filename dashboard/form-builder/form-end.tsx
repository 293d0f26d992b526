import { Link } from '@tanstack/react-router';

/** Says where the text after sending is, because it is no block. */
export function FormEnd() {
  return (
    <p className="mt-3 px-1.5 text-[0.8125rem] text-muted">
      After sending:{' '}
      <Link
        to="/workspaces/$workspaceId/forms/$formId/settings"
        from="/workspaces/$workspaceId/forms/$formId/build"
        search={{ part: 'after' }}
        className="underline hover:text-ink"
      >
        thank-you text, another page, endings
      </Link>
    </p>
  );
}
