import { CopyButton } from '../ui/copy-button.tsx';

interface CodeBlockProps {
  code: string;
  label: string;
  /** What is taken along where it is not what is shown. */
  copy?: string;
}

/** Code to take along, as it is. */
export function CodeBlock({ code, label, copy = code }: CodeBlockProps) {
  return (
    <div className="relative">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
        tabIndex={0}
        className="contain-inline-size max-h-96 overflow-auto rounded-lg border border-line bg-sunken"
      >
        <pre dir="ltr" className="w-max min-w-full p-3 pt-12 font-mono text-[0.8125rem] leading-5">
          {code}
        </pre>
      </section>
      <div className="absolute inset-e-2 top-2">
        <CopyButton text={copy} />
      </div>
    </div>
  );
}
