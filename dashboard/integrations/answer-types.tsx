import { queryOptions, useQuery } from '@tanstack/react-query';
import { Braces, Download } from 'lucide-react';
import { useState } from 'react';
import { getText } from '../api/client.ts';
import { saveFile } from '../lib/save-file.ts';
import { CodeBlock } from '../share/code-block.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Load } from '../ui/load.tsx';
import { Card } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';

interface Format {
  key: 'typescript' | 'json-schema';
  name: string;
  fileName: string;
  mediaType: string;
}

const FORMATS: readonly Format[] = [
  { key: 'typescript', name: 'TypeScript', fileName: 'answers.ts', mediaType: 'text/plain' },
  { key: 'json-schema', name: 'JSON Schema', fileName: 'answers.schema.json', mediaType: 'application/json' },
];

const answerTypesQuery = (form: string, { key: format }: Format) =>
  queryOptions({
    queryKey: ['forms', form, 'answer-schema', format],
    queryFn: async ({ signal }) => {
      const input = { path: { form }, query: { format }, signal };
      const text = await getText('/open/forms/{form}/answer-schema', input);
      return format === 'typescript' ? text : `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
    },
  });

/** The types of what webhooks and the API send, for code that receives it. */
export function AnswerTypes({ form }: { form: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Card
        title="Types for code"
        description="What webhooks and the API send of this form, as TypeScript or JSON Schema."
        actions={
          <Button icon={<Braces className="size-4" />} onClick={() => setShown(true)}>
            Show types
          </Button>
        }
      />
      {isShown && <TypesDialog form={form} onClose={() => setShown(false)} />}
    </>
  );
}

function TypesDialog({ form, onClose }: { form: string; onClose(): void }) {
  const [format, setFormat] = useState<string>('typescript');
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title="Types for code"
      description="They describe answers to the form as it is published now. After a change of the form, get them again."
    >
      <Tabs
        label="Format"
        value={format}
        onChange={setFormat}
        tabs={FORMATS.map((one) => ({
          key: one.key,
          name: one.name,
          content: <Types form={form} format={one} />,
        }))}
      />
    </Dialog>
  );
}

function Types({ form, format }: { form: string; format: Format }) {
  const { fileName, mediaType } = format;
  const types = useQuery(answerTypesQuery(form, format));
  return (
    <Load query={types} skeleton={<Skeleton className="h-96" />}>
      {(text) => (
        <div className="grid grid-cols-1 gap-3">
          <CodeBlock code={text} label={fileName} />
          <Button
            className="justify-self-start"
            icon={<Download className="size-4" />}
            onClick={() => saveFile(new Blob([text], { type: mediaType }), fileName)}
          >
            Download {fileName}
          </Button>
        </div>
      )}
    </Load>
  );
}
