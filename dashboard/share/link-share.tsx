import { ExternalLink } from 'lucide-react';
import type { Form } from '../api/queries.ts';
import { buttonClasses } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-button.tsx';
import { Card } from '../ui/page.tsx';
import { QrDownload } from './qr-download.tsx';

export function LinkShare({ form }: { form: Form }) {
  return (
    <div className="grid max-w-2xl gap-5">
      <Card
        title="Link"
        description="For mails, messages and your own site."
        actions={
          <a href={form.share_url} target="_blank" rel="noreferrer" className={buttonClasses()}>
            <ExternalLink className="size-4" /> Open
          </a>
        }
      >
        <CopyField text={form.share_url} label="Public link of the form" />
      </Card>
      <Card title="QR code" description="For posters and slides. It holds the link, and nothing else.">
        <QrDownload link={form.share_url} name={form.slug} />
      </Card>
    </div>
  );
}
