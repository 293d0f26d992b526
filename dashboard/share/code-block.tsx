import { CopyButton } from '../ui/copy-button.tsx';

interface CodeBlockProps {
  code: string;
  label: string;
  /** The text to copy, if it differs from the shown one. */
  copy?: string;
}

/** Code with a button to copy it. */
export function CodeBlock({ code, label, copy = code }: CodeBlockProps) {
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border border-line bg-sunken">
      <div className="flex items-center justify-between gap-3 border-b border-line py-1 ps-3 pe-1">
        <span aria-hidden="true" className="min-w-0 truncate text-xs text-muted" title={label}>
          {label}
        </span>
        <CopyButton text={copy} look="quiet" size="sm" />
      </div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
        tabIndex={0}
        className="contain-inline-size max-h-96 overflow-auto focus-visible:-outline-offset-2"
      >
        <pre dir="ltr" className="w-max min-w-full p-3 font-mono text-[0.8125rem] leading-5">
          {code}
        </pre>
      </section>
    </div>
  );
}
