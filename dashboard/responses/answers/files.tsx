import { useState } from 'react';
import { nameWithoutId } from '../../../fields/texts/name-without-id.ts';
import { Button } from '../../ui/button.tsx';
import { FileLink } from './file-link.tsx';

const PICTURE = /\.(png|jpe?g|gif|webp|avif)$/i;

interface FilesProps {
  files: { file_url: string; file_name: string }[];
  /** They were asked for elsewhere. */
  showsPictures?: boolean | undefined;
}

/** Links to files; pictures are shown only on request, because strangers sent them. */
export function Files({ files, showsPictures = false }: FilesProps) {
  const [isAsked, setAsked] = useState(false);
  const isShowing = isAsked || showsPictures;
  const pictures = files.filter(({ file_name }) => PICTURE.test(file_name));
  return (
    <div className="grid gap-2">
      <ul className="grid gap-1">
        {files.map((file) => (
          <li key={file.file_url}>
            <FileLink file={file} />
          </li>
        ))}
      </ul>
      {pictures.length > 0 && !isShowing && (
        <div>
          <Button size="sm" onClick={() => setAsked(true)}>
            {pictures.length === 1 ? 'Show the picture' : 'Show the pictures'}
          </Button>
        </div>
      )}
      {isShowing && (
        <div className="grid grid-cols-2 gap-2 print:block print:space-y-2">
          {pictures.map(({ file_url, file_name }) => (
            <img
              key={file_url}
              src={file_url}
              alt={nameWithoutId(file_name)}
              className="max-h-48 w-full rounded-lg border border-line bg-sunken object-contain print:max-h-96 print:w-auto print:max-w-full print:border-0 print:bg-transparent"
            />
          ))}
        </div>
      )}
    </div>
  );
}
