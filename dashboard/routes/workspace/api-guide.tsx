import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { formsQuery } from '../../api/queries.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { CodeBlock } from '../../share/code-block.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-button.tsx';
import { Card, Page } from '../../ui/page.tsx';

/** How programs can do what the dashboard does, with commands for this workspace. */
export function ApiGuide() {
  const { id } = useWorkspace();
  const { data: forms } = useQuery(formsQuery(id));
  const [form] = forms?.data ?? [];
  // Lists name the service's public address, which may differ from this page's, as may that of a form with its own domain.
  const base = forms ? forms.meta.path.replace(/\/open\/workspaces\/.*$/, '') : location.origin;
  return (
    <Page
      title="API"
      width="narrow"
      description="Whatever this dashboard does, a program can do too, with the same calls."
      actions={
        <>
          <a href="/api" target="_blank" rel="noreferrer" className={buttonClasses()}>
            <ExternalLink className="size-4" /> Reference
          </a>
          <a href="/openapi.json" target="_blank" rel="noreferrer" className={buttonClasses()}>
            <ExternalLink className="size-4" /> openapi.json
          </a>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        <Card title="Address">
          <CopyField text={base} label="Address of the API" />
        </Card>
        <Card
          title="Token"
          description={
            <>
              A program shows a token of yours, which can do what you allow it.{' '}
              <Link to="/account/tokens" className="text-accent underline">
                Make one
              </Link>{' '}
              and keep it out of code that others see.
            </>
          }
        >
          <CodeBlock label="Token" code={`export TOKEN=…   # shown once, when you make it\n`} />
        </Card>
        <Card title="Look around" description="Abilities: workspaces-read and forms-read.">
          <CodeBlock
            label="Read forms and answers"
            code={[
              '# The forms of this workspace',
              command(base, `/open/workspaces/${id}/forms`),
              '',
              `# The latest answers of ${form ? oneLine(form.title) : 'a form'}`,
              command(base, `/open/forms/${form?.slug ?? 'FORM'}/submissions?per_page=10`),
              '',
            ].join('\n')}
          />
        </Card>
        <Card title="Make a form" description="Ability: forms-write.">
          <CodeBlock
            label="Make a form"
            code={`${command(base, '/open/forms')} \\
  -H 'Content-Type: application/json' -d '{
    "workspace_id": ${id},
    "title": "Contact",
    "properties": [
      {"id": "name", "type": "text", "name": "Your name", "required": true},
      {"id": "mail", "type": "email", "name": "Your address"}
    ]
  }'
`}
          />
        </Card>
        <Card title="Send answers on" description="Ability: manage-integrations.">
          <CodeBlock
            label="Add a webhook"
            code={`${command(base, `/open/forms/${form?.slug ?? 'FORM'}/integrations`)} \\
  -H 'Content-Type: application/json' -d '{
    "integration_id": "webhook",
    "data": {"webhook_url": "https://example.com/hook", "webhook_secret": "at least 12 characters"}
  }'
`}
          />
        </Card>
        <Card
          title="Assistants (MCP)"
          description="An assistant that speaks the Model Context Protocol can build forms, read figures and look through answers. It can do what its token can, and deletes nothing."
        >
          <div className="grid grid-cols-1 gap-4">
            <CopyField text={`${base}/mcp`} label="Address for assistants" />
            <p className="text-muted">
              Assistants in a browser take this address as a connector, and lead you here to choose what they
              may do. Others take a token:
            </p>
            <CodeBlock label="mcp.json" code={assistant(base)} />
            <p className="text-muted">
              For <code>.mcp.json</code> or <code>.cursor/mcp.json</code>; <code>.vscode/mcp.json</code> calls
              the list <code>servers</code>. Put a token of its own in the place of <code>TOKEN</code>. With
              workspaces-read and forms-read it can look, and change nothing; forms-write lets it build.
            </p>
            <p className="text-muted">
              Answers are written by strangers and may try to give it orders: let it ask you before it
              publishes or sends something.
            </p>
          </div>
        </Card>
      </div>
    </Page>
  );
}

function assistant(base: string): string {
  const server = { type: 'http', url: `${base}/mcp`, headers: { Authorization: 'Bearer TOKEN' } };
  return `${JSON.stringify({ mcpServers: { formstead: server } }, null, 2)}\n`;
}

function command(base: string, path: string): string {
  return `curl -H "Authorization: Bearer $TOKEN" '${base}${path}'`;
}

/** A title as a comment in a shell. */
function oneLine(title: string): string {
  return title.replace(/\s+/g, ' ');
}
