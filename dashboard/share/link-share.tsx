import { ExternalLink } from 'lucide-react';
import type { Form } from '../api/queries.ts';
import { buttonClasses } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-button.tsx';
import { Card } from '../ui/page.tsx';
import { Notice } from '../ui/states.tsx';
import { QrDownload } from './qr-download.tsx';

export function LinkShare({ form }: { form: Form }) {
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-5">
      <Card
        title="Link"
        description="For mails, messages and your own site."
        actions={
          <a href={form.share_url} target="_blank" rel="noreferrer" className={buttonClasses()}>
            <ExternalLink className="size-4" /> Open
          </a>
        }
      >
        <div className="grid grid-cols-1 gap-3">
          {isOfThisMachine(form.share_url) && (
            <Notice>
              This link opens on this machine only. Others can open it once the service runs with its public
              address as <code>BASE_URL</code>.
            </Notice>
          )}
          <CopyField text={form.share_url} label="Public link of the form" />
        </div>
      </Card>
      <Card title="QR code" description="For posters and slides. It holds the link, and nothing else.">
        <QrDownload link={form.share_url} name={form.slug} />
      </Card>
    </div>
  );
}

function isOfThisMachine(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}
