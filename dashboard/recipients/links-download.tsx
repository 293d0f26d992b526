import { Download } from 'lucide-react';
import { guardFormula } from '../../fields/as-text/formula-guard.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { saveFile } from '../lib/save-file.ts';
import { Button } from '../ui/button.tsx';
import { MOST_PER_CALL, type Recipient, readRecipients } from './queries.ts';
import { STATUSES } from './words.ts';

const COLUMNS = ['name', 'email', 'link', 'status', 'answered_at'];

/** Downloads all recipients with their links as CSV, for mails and letters from other programs. */
export function LinksDownload({ form }: { form: Form }) {
  const download = useAction(async () => {
    const rows = (await readAll(String(form.id))).map(({ name, email, link, status, answered_at }) =>
      [name, email, link, STATUSES[status][0], answered_at].map(asCell).join(','),
    );
    const csv = [COLUMNS.join(','), ...rows, ''].join('\r\n');
    // With a byte order mark, by which Excel recognises UTF-8.
    saveFile(new Blob(['\ufeff', csv], { type: 'text/csv' }), `${form.slug}-links.csv`);
  });
  return (
    <Button
      look="quiet"
      icon={<Download className="size-4" />}
      isRunning={download.isRunning}
      onClick={() => download.run()}
    >
      Download links
    </Button>
  );
}

async function readAll(form: string): Promise<Recipient[]> {
  const all: Recipient[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const { data, meta }: Awaited<ReturnType<typeof readRecipients>> = await readRecipients(form, {
      after,
      limit: MOST_PER_CALL,
    });
    all.push(...data);
    after = meta.next_after;
  }
  return all;
}

/** A cell by RFC 4180, with formulas guarded. */
function asCell(value: string | null): string {
  const text = guardFormula(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
