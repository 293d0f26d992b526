import type { ReactNode } from 'react';
import { useTitle } from '../ui/page.tsx';

/** A small screen for visitors who are not signed in. */
export function Outside({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}) {
  useTitle(title);
  return (
    <main className="grid min-h-dvh content-start justify-items-center px-4 py-[10vh]">
      <div className="w-full max-w-sm">
        <p className="mb-8 flex items-center gap-2.5 font-semibold">
          <svg viewBox="0 0 24 24" className="size-7" aria-hidden="true">
            <rect width="24" height="24" rx="6" fill="#4f46e5" />
            <path d="M7 7h10M7 12h7M7 17h4" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" />
          </svg>
          Formstead
        </p>
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {description && <p className="mt-1.5 text-muted">{description}</p>}
        <div className="mt-6 grid gap-5">{children}</div>
      </div>
    </main>
  );
}
