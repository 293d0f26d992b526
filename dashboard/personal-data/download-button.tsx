import { Download } from 'lucide-react';
import { postForFile } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { saveFile } from '../lib/save-file.ts';
import { Button } from '../ui/button.tsx';

/** The name does not identify the person, because others may see it on the screen. */
const FILE_NAME = 'person.json';

/** Downloads everything stored about a person as one JSON file. */
export function DownloadButton({ workspaceId, value }: { workspaceId: number; value: string }) {
  const download = useAction(
    async () => {
      const answer = await postForFile(
        '/open/workspaces/{workspaceId}/people/export',
        { workspaceId },
        JSON.stringify({ value }),
      );
      if ('file' in answer) saveFile(answer.file, FILE_NAME);
    },
    { toast: 'The file was downloaded.' },
  );
  return (
    <Button
      icon={<Download className="size-4" />}
      isRunning={download.isRunning}
      onClick={() => download.run()}
    >
      Download everything
    </Button>
  );
}
