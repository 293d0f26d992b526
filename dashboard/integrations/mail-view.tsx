import { useState } from 'react';
import { safeNodes } from '../form-builder/texts/safe-html.ts';
import { CodeBlock } from '../share/code-block.tsx';
import { Tabs } from '../ui/tabs.tsx';

/** A mail as stored in the log. */
interface LoggedMail {
  to: string | null;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
}

/** The mail in the body of a delivery or a test; null if the body is no mail. */
export function readMail(body: string): LoggedMail | null {
  try {
    const read: unknown = JSON.parse(body);
    if (typeof read !== 'object' || read === null) return null;
    const { to, reply_to: replyTo, subject, text, html } = read as Record<string, unknown>;
    if (typeof subject !== 'string' || typeof text !== 'string' || typeof html !== 'string') return null;
    const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
    return { to: textOrNull(to), replyTo: textOrNull(replyTo), subject, text, html };
  } catch {
    return null;
  }
}

interface MailViewProps {
  mail: LoggedMail;
  /** Its recipient; a notification does not contain it. */
  to: string | null;
}

/** A mail as its recipient reads it, but without its styles. */
export function MailView({ mail, to }: MailViewProps) {
  const [shown, setShown] = useState('html');
  const head: [string, string | null][] = [
    ['To', to],
    ['Reply to', mail.replyTo],
    ['Subject', mail.subject],
  ];
  return (
    <section aria-label="Mail" className="grid grid-cols-1 gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {head.map(
          ([name, value]) =>
            value && (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd dir="auto" className="break-words">
                  {value}
                </dd>
              </div>
            ),
        )}
      </dl>
      <Tabs
        label="Parts of the mail"
        value={shown}
        onChange={setShown}
        tabs={[
          { key: 'html', name: 'Formatted', content: <Formatted html={mail.html} /> },
          { key: 'text', name: 'Plain text', content: <CodeBlock label="Plain text" code={mail.text} /> },
        ]}
      />
    </section>
  );
}

function Formatted({ html }: { html: string }) {
  return (
    <div
      // Rebuilt from harmless elements; React does not touch the content.
      ref={(box) => box?.replaceChildren(safeNodes(html))}
      dir="auto"
      className="grid gap-3 rounded-lg border border-line bg-surface p-4 break-words [&_a]:text-accent [&_a]:underline [&_h1]:text-base [&_h1]:font-semibold [&_h2]:font-semibold [&_ol]:list-decimal [&_ol]:ps-5 [&_ul]:list-disc [&_ul]:ps-5"
    />
  );
}
