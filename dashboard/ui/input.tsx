import { ChevronDown, Eye, EyeOff, Search } from 'lucide-react';
import { type ComponentProps, type Ref, useLayoutEffect, useRef, useState } from 'react';
import { classes } from '../lib/classes.ts';
import { IconButton } from './button.tsx';
import { useFieldProps } from './field.tsx';
import { useHeldProps } from './hold.ts';

const BOX =
  'w-full min-w-0 rounded-lg border border-edge/70 bg-surface px-3 text-ink shadow-xs transition-colors hover:border-edge ' +
  'focus-visible:outline-2 focus-visible:-outline-offset-1 aria-invalid:border-bad disabled:opacity-60 aria-disabled:opacity-60';

type InputProps = ComponentProps<'input'>;

/** Of the types that are typed part by part. They limit the year to four digits. */
const LAST_DATES = new Map<InputProps['type'], string>([
  ['date', '9999-12-31'],
  ['datetime-local', '9999-12-31T23:59'],
]);

export function Input({ type, value, ...rest }: InputProps) {
  const max = LAST_DATES.get(type);
  if (max !== undefined && typeof value === 'string')
    return <PartsInput type={type} max={max} value={value} {...rest} />;
  return <PlainInput type={type} value={value} {...rest} />;
}

function PlainInput({ className, ...rest }: InputProps) {
  return (
    <input
      dir="auto"
      {...useFieldProps()}
      {...useHeldProps()}
      className={classes(BOX, 'h-9', className)}
      {...rest}
    />
  );
}

/**
 * A date, typed part by part. React leaves it to the browser: it would set the attribute `value` whenever the parts make no
 * date, and Firefox then empties them.
 */
function PartsInput({ value, onChange, ...rest }: InputProps & { value: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [first] = useState(value);
  const shown = useRef(value);
  useLayoutEffect(() => {
    if (!input.current || shown.current === value) return;
    shown.current = value;
    input.current.value = value;
  }, [value]);
  return (
    <PlainInput
      {...rest}
      ref={input}
      defaultValue={first}
      onChange={(event) => {
        shown.current = event.target.value;
        onChange?.(event);
      }}
    />
  );
}

/**
 * The mail address of an account, checked by the service. Not `type="email"`: browsers refuse names with non-ASCII letters, and
 * some rewrite such domains, which makes another address.
 */
export function EmailInput(props: ComponentProps<'input'>) {
  return <Input inputMode="email" autoCapitalize="none" spellCheck={false} {...props} />;
}

/** The password of an account, hidden until the user wants to see it. */
export function PasswordInput(props: ComponentProps<'input'>) {
  const [isShown, setShown] = useState(false);
  return (
    <span className="relative block">
      <Input
        type={isShown ? 'text' : 'password'}
        required
        autoCapitalize="none"
        spellCheck={false}
        className="pe-10"
        {...props}
      />
      <span className="absolute inset-e-1 top-1">
        <IconButton
          size="sm"
          label="Show what is typed"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
        </IconButton>
      </span>
    </span>
  );
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      dir="auto"
      rows={4}
      {...useFieldProps()}
      {...useHeldProps()}
      className={classes(BOX, 'min-h-20 py-2', className)}
      {...rest}
    />
  );
}

/** The platform's select, which works with every keyboard and phone. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={classes('relative inline-flex max-w-full', className)}>
      <select
        {...useFieldProps()}
        className={classes(BOX, 'h-9 appearance-none text-ellipsis pe-8')}
        {...rest}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-e-2.5 top-2.5 size-4 text-muted"
      />
    </span>
  );
}

export function SearchInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <span className={classes('relative inline-flex', className)}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute inset-s-2.5 top-2.5 size-4 text-muted"
      />
      <Input type="search" className="ps-8" {...rest} />
    </span>
  );
}

interface FileInputProps {
  ref?: Ref<HTMLInputElement>;
  accept: string;
  onChoose(file: File): void;
}

/** A file input that also accepts drops. */
export function FileInput({ ref, accept, onChoose }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      {...useFieldProps()}
      className="w-full min-w-0 rounded-lg border border-dashed border-edge/70 bg-surface p-3 file:me-3 file:h-9 file:rounded-lg file:border file:border-solid file:border-line file:bg-surface file:px-3 file:font-medium file:text-ink hover:border-edge"
      onChange={({ target }) => {
        const file = target.files?.[0];
        // Allows the same file to be chosen again after corrections.
        target.value = '';
        if (file) onChoose(file);
      }}
    />
  );
}
