import { Download, Upload } from 'lucide-react';
import { useRef } from 'react';
import { decodeDamaged } from '../lib/decode-text.ts';
import { formatCount } from '../lib/format.ts';
import { saveFile } from '../lib/save-file.ts';
import type { Changes } from '../settings/use-changes.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toasts.tsx';
import { toCsv, withCsv } from './csv.ts';
import type { TextGroup } from './texts.ts';

interface CsvButtonsProps {
  language: string;
  groups: readonly TextGroup[];
  changes: Changes;
  isDisabled: boolean;
}

/** Exports the texts as a table, for translators without an account, and imports it. */
export function CsvButtons({ language, groups, changes, isDisabled }: CsvButtonsProps) {
  const { translations } = changes.values;
  const file = useRef<HTMLInputElement>(null);
  const download = () => {
    const csv = toCsv(groups, translations, language);
    saveFile(new Blob([csv], { type: 'text/csv' }), `${changes.stored.slug}-${language}.csv`);
  };
  const upload = async (chosen: File | undefined) => {
    if (!chosen) return;
    const csv = await readText(chosen);
    if (csv === null)
      return showToast({
        text: 'The file is neither UTF-8 nor UTF-16: save it as “CSV UTF-8”.',
        tone: 'bad',
      });
    const found = withCsv(csv, groups, translations, language);
    if (!found) return showToast({ text: 'The file has no columns “key” and “translation”.', tone: 'bad' });
    changes.change({ key: 'translations' }, found.translations);
    const others = found.unknown > 0 ? ` ${formatCount(found.unknown, 'row')} of other texts left out.` : '';
    showToast({ text: `${formatCount(found.read, 'text')} taken from the file.${others}` });
  };
  return (
    <>
      <Button look="quiet" size="sm" icon={<Download className="size-3.5" />} onClick={download}>
        Download texts
      </Button>
      {!isDisabled && (
        <Button
          look="quiet"
          size="sm"
          icon={<Upload className="size-3.5" />}
          onClick={() => file.current?.click()}
        >
          Upload texts
        </Button>
      )}
      <input
        ref={file}
        type="file"
        accept=".csv,text/csv"
        aria-label="Texts as CSV"
        hidden
        onChange={async ({ target }) => {
          await upload(target.files?.[0]);
          // Allows the same file to be chosen again after corrections.
          target.value = '';
        }}
      />
    </>
  );
}

/** null if it is not Unicode: a wrong guess would be shown to everybody who fills in the form. */
async function readText(file: File): Promise<string | null> {
  const { text, lost, encoding } = decodeDamaged(new Uint8Array(await file.arrayBuffer()));
  return lost === 0 && encoding === null ? text : null;
}
