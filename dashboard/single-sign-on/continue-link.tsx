import { KeyRound } from 'lucide-react';
import { address } from '../api/client.ts';
import { buttonClasses } from '../ui/button.tsx';
import { Notice } from '../ui/states.tsx';
import { sentenceOf } from './problems.ts';

/** Signs in by the provider instead of a password; leaves the application for the provider. */
export function ContinueWith({ name, next }: { name: string; next?: string | undefined }) {
  return (
    <>
      <p className="flex items-center gap-3 text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      <a href={address('/auth/oidc', {}, { next })} className={buttonClasses('plain', 'lg')}>
        <KeyRound aria-hidden="true" className="size-4 shrink-0" />
        <span className="truncate">Continue with {name}</span>
      </a>
    </>
  );
}

export function SignOnNotice({ problem = '', name }: { problem: string | undefined; name: string }) {
  const sentence = sentenceOf(problem, name);
  return sentence && <Notice tone="bad">{sentence}</Notice>;
}
