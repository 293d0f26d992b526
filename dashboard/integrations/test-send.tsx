import { Send } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { CodeBlock } from '../share/code-block.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MailView, readMail } from './mail-view.tsx';
import { pretty } from './pretty.ts';
import { isMail } from './providers.ts';
import type { Integration, TestResult } from './queries.ts';
import { durationWords } from './words.ts';

interface TestSendProps {
  form: string;
  integration: Integration;
  /** Why it cannot be sent now. */
  refusal: string | null;
}

/** Sends made-up answers once, and shows request and response. */
export function TestSend({ form, integration, refusal }: TestSendProps) {
  const { id: integrationId, integration_id: provider } = integration;
  const [result, setResult] = useState<TestResult | null>(null);
  const test = useAction(
    () => api.post('/open/forms/{form}/integrations/{integrationId}/test', { path: { form, integrationId } }),
    { onDone: setResult },
  );
  return (
    <>
      <Button
        icon={<Send className="size-4" />}
        isRunning={test.isRunning}
        disabledReason={refusal}
        onClick={() => test.run()}
      >
        Send a test
      </Button>
      <Dialog
        isOpen={result !== null}
        onClose={() => setResult(null)}
        title={isMail(provider) ? 'Test mail' : 'Test delivery'}
        description={
          provider === 'email_confirmation'
            ? 'Sent once, with made-up answers, to the address of your account. Nothing is kept.'
            : 'Sent once, with made-up answers. Nothing is kept.'
        }
        size="lg"
      >
        {result && <Result result={result} />}
      </Dialog>
    </>
  );
}

function Result({ result: { type, message, request, response, failure } }: { result: TestResult }) {
  const duration = response?.duration_ms ?? failure?.duration_ms ?? 0;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const mail = request.url.startsWith('mailto:') ? readMail(request.body) : null;
  return (
    <div className="grid gap-5">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={type === 'success' ? 'good' : 'bad'}>
          {type === 'success' ? 'Delivered' : mail && !response ? 'Not sent' : 'Failed'}
        </Badge>
        <span className="min-w-0 break-words">{message}</span>
        {duration > 0 && <span className="text-muted">{durationWords(duration)}</span>}
      </p>
      {mail ? (
        <MailView mail={mail} to={String(request.headers.To ?? '')} />
      ) : (
        <section className="grid gap-2">
          <h3 className="font-medium">What was sent</h3>
          <CodeBlock
            label="Request"
            code={`POST ${request.url}\n${headers.join('\n')}\n\n${pretty(request.body)}`}
          />
        </section>
      )}
      {response && (
        <section className="grid gap-2">
          <h3 className="font-medium">What came back</h3>
          <CodeBlock
            label="Response"
            code={`Status ${response.status}${response.excerpt ? `\n\n${pretty(response.excerpt)}` : ''}`}
          />
        </section>
      )}
    </div>
  );
}
