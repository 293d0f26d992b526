import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../lib/classes.ts';
import { Spinner } from './spinner.tsx';
import { Tooltip } from './tooltip.tsx';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink border-line hover:bg-hover shadow-xs',
  quiet: 'text-muted hover:text-ink hover:bg-hover border-transparent',
  danger: 'bg-bad-solid text-white hover:brightness-110 border-transparent',
};
/** Where few letters fit in a line, as with letters of double size on a phone, a text takes several. */
const WRAPPED =
  '@max-3xs/screen:h-auto @max-3xs/screen:min-w-0 @max-3xs/screen:shrink @max-3xs/screen:py-1 ' +
  '@max-3xs/screen:wrap-anywhere @max-3xs/screen:whitespace-normal @max-3xs/screen:[&>svg]:shrink-0';
const SIZES = {
  sm: `h-7 px-2 text-[0.8125rem] gap-1.5 ${WRAPPED}`,
  md: `h-9 px-3 gap-2 ${WRAPPED}`,
  lg: `h-10 px-4 gap-2 ${WRAPPED}`,
  icon: 'size-9',
  'icon-sm': 'size-7',
};

/** The classes of a button, for links that look like one. */
export function buttonClasses(look: Look = 'plain', size: keyof typeof SIZES = 'md'): string {
  return classes(
    'inline-flex shrink-0 items-center justify-center rounded-lg border font-medium whitespace-nowrap transition-colors select-none',
    'aria-disabled:opacity-50 disabled:opacity-50 print:hidden',
    LOOKS[look],
    SIZES[size],
  );
}

export interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  size?: keyof typeof SIZES;
  icon?: ReactNode;
  /** Shows that it is running, and ignores further clicks. */
  isRunning?: boolean;
  /** Why it cannot be used now; it stays visible and shows this reason. */
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
      // Keeps its type when disabled: without a submit button, Enter would submit a form with a single input.
      type={type}
      className={classes(buttonClasses(look, size), className)}
      // Not `disabled`, so that it stays focusable and its reason can be read.
      {...rest}
      aria-disabled={isOff || rest['aria-disabled']}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {isRunning ? <Spinner /> : icon}
      {children}
    </button>
  );
  // The tooltip stays around it without a reason too; otherwise a new reason would replace the button, and lose the focus.
  return disabledReason === undefined ? button : <Tooltip text={disabledReason}>{button}</Tooltip>;
}

interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'children' | 'size'> {
  size?: 'sm' | 'md';
  /** Its name, also shown as a tooltip. */
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
