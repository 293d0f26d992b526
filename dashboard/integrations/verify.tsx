import { useState } from 'react';
import { CodeBlock } from '../share/code-block.tsx';
import { Card } from '../ui/page.tsx';
import { Notice } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Integration } from './queries.ts';
import { SNIPPETS } from './snippets.ts';

/** Code with which a receiver verifies our deliveries. */
export function Verify({ integration }: { integration: Integration }) {
  const [language, setLanguage] = useState('node');
  return (
    <Card
      title="Verify the signature"
      description="Every delivery carries X-Webhook-Signature: an HMAC with SHA-256 over the raw bytes of its body, made with the secret as it stands, whsec_ included."
    >
      <div className="grid grid-cols-1 gap-4">
        {integration.data.webhook_secret === undefined && (
          <Notice tone="warn">This integration has no secret, so its deliveries are not signed.</Notice>
        )}
        <Tabs
          label="Language"
          value={language}
          onChange={setLanguage}
          tabs={SNIPPETS.map(({ id, name, code, more }) => ({
            key: id,
            name,
            content: (
              <div className="grid grid-cols-1 gap-4">
                <CodeBlock code={code} label={`Verify with ${name}`} />
                {more && (
                  <>
                    <h3 className="font-medium">{more.title}</h3>
                    <CodeBlock code={more.code} label={more.title} />
                  </>
                )}
              </div>
            ),
          }))}
        />
        <p className="text-muted">
          webhook-id, webhook-timestamp and webhook-signature follow Standard Webhooks 1.0: any of its
          libraries can verify them, and they also protect against old deliveries sent again by others.
          webhook-id is the same at every attempt: remember it to do nothing twice.
        </p>
      </div>
    </Card>
  );
}
