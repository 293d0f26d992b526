import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../lib/classes.ts';
import { Spinner } from './spinner.tsx';
import { Tooltip } from './tooltip.tsx';

export type Look = 'primary' | 'plain' | 'quiet' | 'danger';

const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink border-line hover:bg-hover shadow-xs',
  quiet: 'text-muted hover:text-ink hover:bg-hover border-transparent',
  danger: 'bg-bad-solid text-white hover:brightness-110 border-transparent',
};
const SIZES = {
  sm: 'h-7 px-2 text-[0.8125rem] gap-1.5',
  md: 'h-9 px-3 gap-2',
  lg: 'h-10 px-4 gap-2',
  icon: 'size-9',
  'icon-sm': 'size-7',
};

/** The classes of a button, for links that look like one. */
export function buttonClasses(look: Look = 'plain', size: keyof typeof SIZES = 'md'): string {
  return classes(
    'inline-flex shrink-0 items-center justify-center rounded-lg border font-medium whitespace-nowrap transition-colors select-none',
    'aria-disabled:opacity-50 disabled:opacity-50',
    LOOKS[look],
    SIZES[size],
  );
}

export interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  size?: keyof typeof SIZES;
  icon?: ReactNode;
  /** Shows that it is under way, and takes no further clicks. */
  isRunning?: boolean;
  /** Why it cannot be used now: it stays visible and says so. */
  disabledReason?: string | null | undefined;
}

export function Button({
  look,
  size,
  icon,
  isRunning = false,
  disabledReason,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const isOff = isRunning || Boolean(disabledReason);
  const button = (
    <button
      // Also while it is off: without a button that submits, Enter sends a form of one input by itself.
      type={type}
      className={classes(buttonClasses(look, size), className)}
      // Still in reach of the keyboard, so that the reason can be read and the focus is kept.
      {...rest}
      aria-disabled={isOff || rest['aria-disabled']}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {isRunning ? <Spinner /> : icon}
      {children}
    </button>
  );
  // Around it also while there is no reason: the button stays the same one, and keeps the focus, when there is.
  return disabledReason === undefined ? button : <Tooltip text={disabledReason}>{button}</Tooltip>;
}

interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'children' | 'size'> {
  size?: 'sm' | 'md';
  /** Its name, also shown when the pointer rests on it. */
  label: string;
  children: ReactNode;
}

export function IconButton({
  label,
  look = 'quiet',
  size = 'md',
  disabledReason,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={disabledReason ?? label}>
      <Button
        look={look}
        size={size === 'sm' ? 'icon-sm' : 'icon'}
        aria-label={label}
        {...rest}
        {...(disabledReason && { 'aria-disabled': true, onClick: (event) => event.preventDefault() })}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
