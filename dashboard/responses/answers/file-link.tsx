import { FileDown } from 'lucide-react';
import { nameWithoutId } from '../../../fields/texts/name-without-id.ts';

/** Opens an uploaded file in a new tab, labelled with its original name. */
export function FileLink({
  file: { file_name, file_url },
}: {
  file: { file_name: string; file_url: string };
}) {
  return (
    <a
      href={file_url}
      target="_blank"
      rel="noreferrer"
      className="inline-flex max-w-full items-center gap-2 text-accent hover:underline"
    >
      <FileDown aria-hidden="true" className="size-4 shrink-0" />
      <bdi className="min-w-0 break-all">{nameWithoutId(file_name)}</bdi>
    </a>
  );
}
