import type { Form } from '../api/queries.ts';
import { Card } from '../ui/page.tsx';
import { Notice } from '../ui/states.tsx';
import { CodeBlock } from './code-block.tsx';
import { htmlForm } from './html-form.ts';
import { questionsOf } from './questions.ts';

/** The form as plain HTML code. */
export function HtmlShare({ form }: { form: Form }) {
  const code = htmlForm(form.share_url, questionsOf(form), form.submit_button_text ?? 'Send');
  return (
    <Card
      title="Plain HTML"
      description="This form without a script and without our looks: put it into any page and style it as you like. What is wrong with an answer is shown on the form’s own page, with everything that was typed."
    >
      <div className="grid grid-cols-1 gap-4">
        {form.has_password && (
          <Notice tone="warn">The form has a password, so it takes no answers from other pages.</Notice>
        )}
        {form.use_captcha && (
          <Notice>Visitors are asked for the proof that they are people on the form’s own page.</Notice>
        )}
        <CodeBlock code={code} label="HTML form" />
      </div>
    </Card>
  );
}
