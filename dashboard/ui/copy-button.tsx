import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Input } from './input.tsx';
import { showToast } from './toasts.tsx';

const DONE_MS = 2_000;

interface CopyButtonProps extends Pick<ButtonProps, 'look' | 'size'> {
  text: string;
  label?: string;
}

export function CopyButton({ text, label = 'Copy', ...rest }: CopyButtonProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <Button
      {...rest}
      icon={isDone ? <Check className="size-4 text-good" /> : <Copy className="size-4" />}
      onClick={async () => setDone(await copyText(text))}
    >
      <span aria-live="polite">{isDone ? 'Copied' : label}</span>
    </Button>
  );
}

/** A text with a button to copy it, such as a link. */
export function CopyField({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex gap-2 @max-3xs/screen:flex-wrap">
      <Input
        readOnly
        dir="ltr"
        value={text}
        aria-label={label}
        className="font-mono text-[0.8125rem]"
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={text} />
    </div>
  );
}

/** @returns whether it worked; if not, a toast has said so */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers allow copying on secure pages only.
    showToast({
      text: 'Your browser did not allow copying. Select the text and copy it yourself.',
      tone: 'bad',
    });
    return false;
  }
}
