import { createLink } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ComponentProps } from 'react';

/** The way back to where a screen belongs, above its title. */
export const BackLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className="inline-flex items-center gap-1 justify-self-start text-muted hover:text-ink">
    <ArrowLeft aria-hidden="true" className="size-4 shrink-0 rtl:rotate-180" />
    {children}
  </a>
));
