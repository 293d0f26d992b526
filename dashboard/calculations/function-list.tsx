import { FUNCTION_GROUPS } from './function-words.ts';

const EXAMPLE = 'IF({Number of tickets} >= 10, {Price} * 0.9, {Price}) * {Number of tickets}';

/** A reference of formulas, collapsed at first. */
export function FunctionList() {
  return (
    <details className="rounded-lg border border-line">
      <summary className="cursor-pointer rounded-lg px-4 py-2.5 font-medium hover:bg-hover">
        What a formula can do
      </summary>
      <div className="grid gap-4 border-t border-line px-4 py-3">
        <p>
          Names of questions and calculations stand in braces, texts in quotes: <Code>{'{Price} * 2'}</Code>,{' '}
          <Code>{'{Size} = "Large"'}</Code>. Count with <Code>+ - * /</Code>, compare with{' '}
          <Code>{'= <> < > <= >='}</Code>, and put together with parentheses. What was not answered is 0, or
          an empty text. What cannot be worked out, such as <Code>1 / 0</Code>, has no value.
        </p>
        <p>
          For example: <Code>{EXAMPLE}</Code>
        </p>
        {FUNCTION_GROUPS.map(([title, functions]) => (
          <section key={title} aria-label={title} className="grid gap-1.5">
            <h3 className="font-medium">{title}</h3>
            <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]">
              {functions.map(([written, does]) => (
                <div key={written} className="contents">
                  <dt>
                    <Code>{written}</Code>
                  </dt>
                  <dd className="mb-1.5 text-muted sm:mb-0">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </details>
  );
}

function Code({ children }: { children: string }) {
  return (
    <code dir="ltr" className="font-mono text-[0.8125rem] break-words">
      {children}
    </code>
  );
}
