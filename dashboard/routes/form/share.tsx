import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { formQuery } from '../../api/queries.ts';
import { PersonalLinks } from '../../recipients/personal-links.tsx';
import { CurlShare } from '../../share/curl-share.tsx';
import { EmbedShare } from '../../share/embed-share.tsx';
import { HtmlShare } from '../../share/html-share.tsx';
import { LinkShare } from '../../share/link-share.tsx';
import { PrefillShare } from '../../share/prefill-share.tsx';
import { Notice } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';

/** The ways to share a form. */
export function FormShare() {
  const params = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  const { part = 'link' } = useSearch({ from: '/app/workspaces/$workspaceId/forms/$formId/share' });
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/share' });
  const { data: form } = useSuspenseQuery(formQuery(params.formId));
  return (
    <div className="grid grid-cols-1 gap-5">
      {form.visibility === 'draft' && !form.trash_ends_at && (
        <Notice tone="warn">
          The form is a draft: nobody can open it yet.{' '}
          <Link
            to="/workspaces/$workspaceId/forms/$formId/build"
            params={params}
            search={{ publish: true }}
            className="underline"
          >
            Publish it
          </Link>{' '}
          when it is ready.
        </Notice>
      )}
      <Tabs
        label="Ways to share"
        value={part}
        onChange={(next) => void navigate({ search: { part: next }, replace: true })}
        tabs={[
          { key: 'link', name: 'Link', content: <LinkShare form={form} /> },
          { key: 'personal', name: 'Personal links', content: <PersonalLinks key={form.id} form={form} /> },
          { key: 'embed', name: 'Embed', content: <EmbedShare key={form.id} form={form} /> },
          { key: 'prefill', name: 'Prefilled link', content: <PrefillShare key={form.id} form={form} /> },
          { key: 'html', name: 'Plain HTML', content: <HtmlShare form={form} /> },
          { key: 'curl', name: 'curl', content: <CurlShare form={form} /> },
        ]}
      />
    </div>
  );
}
