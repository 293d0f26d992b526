import { type ReactNode, useLayoutEffect } from 'react';
import { classes } from '../lib/classes.ts';

interface PageProps {
  title: string;
  /** Replaces the visible title, which is then only the title of the browser's tab. */
  heading?: ReactNode;
  description?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  width?: 'normal' | 'narrow' | 'full';
  children: ReactNode;
}

const WIDTHS = { narrow: 'max-w-2xl', normal: 'max-w-6xl', full: 'max-w-none' };

/** The frame of a screen: title, actions, content. Whatever its width, the title and the tabs are where they are on the others. */
export function Page({ title, heading, description, actions, width = 'normal', children }: PageProps) {
  useTitle(title);
  return (
    <div className="w-full px-4 pt-4 pb-6 sm:px-8 sm:py-8 print:p-0">
      <div className="mb-3 flex max-w-6xl flex-wrap items-start justify-between gap-x-3 gap-y-3 sm:mb-6 sm:gap-x-6 print:max-w-none">
        <div className="grid min-w-0 flex-1 basis-40 grid-cols-1 gap-1">
          <h1 dir="auto" className="text-xl font-semibold tracking-tight wrap-anywhere">
            {heading ?? title}
          </h1>
          {description && <p className="max-w-prose text-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-1 sm:gap-2 print:hidden">{actions}</div>}
      </div>
      <div className={classes('print:max-w-none', WIDTHS[width])}>{children}</div>
    </div>
  );
}

/** A part of a screen on a separate card. */
export function Card({
  title,
  description,
  actions,
  className,
  children,
}: {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <section
      className={classes('rounded-xl border border-line bg-surface p-5 print:break-inside-avoid', className)}
    >
      {title && (
        <div
          className={classes('flex flex-wrap items-start justify-between gap-3', Boolean(children) && 'mb-4')}
        >
          <div className="grid min-w-0 flex-1 basis-60 gap-1">
            <h2 className="font-semibold">{title}</h2>
            {description && <p className="max-w-prose text-muted">{description}</p>}
          </div>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** Sets the title of the browser's tab. A screen that is hidden until the next one is loaded sets none: it has no layout effects. */
export function useTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = inTab(title);
  }, [title]);
}

/** Sets it for as long as this is shown: the frame around does not set its own again. */
export function usePassingTitle(title: string): void {
  useLayoutEffect(() => {
    const former = document.title;
    document.title = inTab(title);
    return () => {
      if (document.title === inTab(title)) document.title = former;
    };
  }, [title]);
}

function inTab(title: string): string {
  return `${title} · Formstead`;
}
