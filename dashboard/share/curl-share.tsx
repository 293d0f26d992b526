import { Link } from '@tanstack/react-router';
import type { Form } from '../api/queries.ts';
import { Card } from '../ui/page.tsx';
import { CodeBlock } from './code-block.tsx';
import { questionsOf } from './questions.ts';
import { quoted, sampleAnswers } from './sample-answers.ts';

/** A command by which a program can submit answers. */
export function CurlShare({ form }: { form: Form }) {
  return (
    <Card
      title="curl"
      description={
        <>
          Answers this form from a program; no token is needed. Everything else a program can do stands on the{' '}
          <Link
            to="/workspaces/$workspaceId/api"
            params={{ workspaceId: String(form.workspace_id) }}
            className="text-accent underline"
          >
            API page
          </Link>
          .
        </>
      }
    >
      <CodeBlock code={answerCommand(form)} label="curl command" />
    </Card>
  );
}

function answerCommand(form: Form): string {
  const answers = JSON.stringify(sampleAnswers(questionsOf(form)), null, 2);
  const password = form.has_password ? " \\\n  -H 'form-password: PASSWORD'" : '';
  return `curl ${quoted(`${form.share_url}/answer`)} -H 'Content-Type: application/json'${password} \\\n  -d ${quoted(answers)}\n`;
}
