import type { FormEvent } from 'react';

/** A handler for `onSubmit` that passes the form's texts by input name. */
export function submitTexts<Name extends string>(act: (texts: Record<Name, string>) => void) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]);
    act(Object.fromEntries(entries) as Record<Name, string>);
  };
}
