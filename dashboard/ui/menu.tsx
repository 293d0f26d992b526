import { DropdownMenu } from 'radix-ui';
import { type ComponentProps, createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { classes } from '../lib/classes.ts';

const PANEL =
  'animate-appear z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg';
const ROW =
  'flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1.5 outline-none data-highlighted:bg-hover data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0';

/** The chosen action runs after the menu has closed, so that a dialog it opens can return the focus to the trigger. */
const ChosenContext = createContext<{ current: (() => void) | null }>({ current: null });

interface MenuProps {
  /** The element that opens it. */
  trigger: ReactNode;
  align?: 'start' | 'end';
  className?: string;
  /** With `onOpenChange`, where more than the trigger opens it. */
  isOpen?: boolean;
  onOpenChange?(isOpen: boolean): void;
  children: ReactNode;
}

export function Menu({ trigger, align = 'end', className, isOpen, onOpenChange, children }: MenuProps) {
  const [isOpened, setOpened] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const chosen = useRef<(() => void) | null>(null);
  const change = (next: boolean) => {
    // A button that cannot be used now is not `disabled`, so that it keeps the focus.
    if (next && opener.current?.ariaDisabled === 'true') return;
    setOpened(next);
    onOpenChange?.(next);
  };
  const actOnChoice = () => {
    const act = chosen.current;
    chosen.current = null;
    if (act) queueMicrotask(act);
  };
  return (
    <DropdownMenu.Root modal={false} open={isOpen ?? isOpened} onOpenChange={change}>
      <DropdownMenu.Trigger ref={opener} asChild>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={classes(PANEL, className)}
          onCloseAutoFocus={actOnChoice}
        >
          <ChosenContext value={chosen}>{children}</ChosenContext>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps extends Omit<ComponentProps<typeof DropdownMenu.Item>, 'disabled' | 'onSelect'> {
  onSelect?: () => void;
  icon?: ReactNode;
  isDangerous?: boolean;
  /** Why it cannot be chosen now, shown below its name. */
  disabledReason?: string | null | undefined;
}

/** With `asChild` around a `Link` it is a link. */
export function MenuItem({
  icon,
  isDangerous,
  disabledReason,
  asChild,
  children,
  className,
  onSelect,
  ...rest
}: MenuItemProps) {
  const chosen = useContext(ChosenContext);
  return (
    <DropdownMenu.Item
      {...rest}
      {...(asChild && { asChild })}
      disabled={Boolean(disabledReason)}
      onSelect={() => {
        chosen.current = onSelect ?? null;
      }}
      className={classes(ROW, isDangerous && 'text-bad', className)}
    >
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          <span className="grid min-w-0">
            <span className="truncate">{children}</span>
            {disabledReason && <span className="max-w-60 text-xs text-muted">{disabledReason}</span>}
          </span>
        </>
      )}
    </DropdownMenu.Item>
  );
}

interface MenuChoiceProps<Value extends string> {
  value: Value;
  onChange(value: Value): void;
  options: readonly (readonly [Value, string])[];
}

/** A choice of one out of a few. */
export function MenuChoice<Value extends string>({ value, onChange, options }: MenuChoiceProps<Value>) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      {options.map(([option, label]) => (
        <DropdownMenu.RadioItem key={option} value={option} className={classes(ROW, 'ps-8 relative')}>
          <DropdownMenu.ItemIndicator className="drawn absolute inset-s-3 size-2 rounded-full bg-accent" />
          {label}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-xs font-medium text-muted">
      {children}
    </DropdownMenu.Label>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}
