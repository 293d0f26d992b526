import { Bold, Heading2, Italic, Link2, List, ListOrdered, RemoveFormatting, Underline } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useId } from 'react';
import type { Property } from '../../../fields/property.ts';
import { Problems } from '../../settings/problems.tsx';
import { useLink } from './link-line.tsx';
import { asChips, CHIPS, withoutCarets } from './mention-chips.ts';
import { MentionMenu } from './mention-menu.tsx';
import { htmlOf, RICH, safeNodes } from './safe-html.ts';
import { useEditable } from './use-editable.ts';

interface HtmlEditorProps {
  label: string;
  /** The label is read out, not shown. */
  isLabelHidden?: boolean;
  /** Language of the text, if known. */
  lang?: string | undefined;
  dir?: 'ltr' | 'rtl';
  value: string;
  onChange(html: string | undefined): void;
  isReadOnly: boolean;
  hint?: string | undefined;
  placeholder?: string | undefined;
  /** Id of the block, or another name of the text, to find it by. */
  textOf?: string | undefined;
  problems?: readonly string[];
  /** Fields whose answers may be mentioned; none before anything can be answered. */
  fields?: readonly Property[] | undefined;
}

const BUTTONS: readonly (readonly [string, string, ReactNode, string?])[] = [
  ['Bold', 'bold', <Bold key="bold" className="size-4" />],
  ['Italic', 'italic', <Italic key="italic" className="size-4" />],
  ['Underline', 'underline', <Underline key="underline" className="size-4" />],
  ['Heading', 'formatBlock', <Heading2 key="heading" className="size-4" />, 'h2'],
  ['List', 'insertUnorderedList', <List key="list" className="size-4" />],
  ['Numbered list', 'insertOrderedList', <ListOrdered key="ordered" className="size-4" />],
  ['Plain text', 'removeFormat', <RemoveFormatting key="plain" className="size-4" />],
];

/** Firefox has other uses for these keys: they show bookmarks, the source … */
const COMMANDS_OF_KEYS = new Map([
  ['b', 'bold'],
  ['i', 'italic'],
  ['u', 'underline'],
]);

/** Shown while the text is empty; the editor then has no content or one empty paragraph. */
const PLACEHOLDER =
  'data-placeholder:before:pointer-events-none data-placeholder:before:absolute data-placeholder:before:text-muted data-placeholder:before:content-[attr(data-placeholder)]';

/** A short text with bold and links. */
export function HtmlEditor({
  label,
  isLabelHidden = false,
  lang,
  dir,
  value,
  onChange,
  isReadOnly,
  hint,
  placeholder,
  textOf,
  problems = [],
  fields,
}: HtmlEditorProps) {
  const id = useId();
  const { box, read, keepCaret, insert } = useEditable({
    value,
    nodesOf(html) {
      const nodes = safeNodes(html);
      return fields ? asChips(nodes, fields) : nodes;
    },
    valueIn,
    onChange,
  });
  const run = (command: string, argument?: string) => {
    box.current?.focus();
    const isOnAlready = command === 'formatBlock' && document.queryCommandValue(command) === argument;
    document.execCommand(command, false, isOnAlready ? 'p' : argument);
    read();
  };
  const link = useLink(box, read);
  const onPaste = (event: ClipboardEvent) => {
    const html = event.clipboardData.getData('text/html');
    if (html === '') return;
    event.preventDefault();
    const holder = document.createElement('div');
    holder.append(safeNodes(html));
    document.execCommand('insertHTML', false, holder.innerHTML);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isReadOnly || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const key = event.key.toLowerCase();
    const command = COMMANDS_OF_KEYS.get(key);
    if (command === undefined && key !== 'k') return;
    event.preventDefault();
    event.stopPropagation();
    if (command === undefined) link.open();
    else run(command);
  };
  return (
    <div className="grid gap-1.5">
      <span id={id} className={isLabelHidden ? 'sr-only' : 'font-medium'}>
        {label}
      </span>
      <div className="rounded-lg border border-edge/70 bg-surface shadow-xs focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent">
        <div
          role="toolbar"
          aria-label={`Format of ${label}`}
          className="flex flex-wrap gap-0.5 border-b border-line p-1"
        >
          {BUTTONS.map(([name, command, icon, argument]) => (
            <ToolButton key={name} name={name} isOff={isReadOnly} onPress={() => run(command, argument)}>
              {icon}
            </ToolButton>
          ))}
          <ToolButton name="Link" isOff={isReadOnly} onPress={link.open}>
            <Link2 className="size-4" />
          </ToolButton>
          {fields && <MentionMenu into={label} fields={fields} isOff={isReadOnly} onChoose={insert} />}
        </div>
        {link.line}
        {/* biome-ignore lint/a11y/useSemanticElements: no element of the platform takes rich text */}
        <div
          ref={box}
          role="textbox"
          tabIndex={0}
          aria-multiline="true"
          aria-labelledby={id}
          aria-readonly={isReadOnly}
          aria-placeholder={placeholder}
          data-placeholder={value === '' ? placeholder : undefined}
          data-text-of={textOf}
          aria-invalid={problems.length > 0 || undefined}
          contentEditable={!isReadOnly}
          suppressContentEditableWarning
          lang={lang}
          dir={dir ?? 'auto'}
          className={`${RICH} relative min-h-16 ${PLACEHOLDER} px-3 py-2 outline-none ${CHIPS}`}
          onBlur={keepCaret}
          onInput={read}
          onPaste={onPaste}
          onKeyDown={onKeyDown}
        />
      </div>
      {hint && <p className="text-[0.8125rem] text-muted">{hint}</p>}
      <Problems texts={problems} />
    </div>
  );
}

function valueIn(box: HTMLElement): string | undefined {
  const html = htmlOf(box);
  return html === undefined ? undefined : withoutCarets(html);
}

interface ToolButtonProps {
  name: string;
  isOff: boolean;
  onPress(): void;
  children: ReactNode;
}

function ToolButton({ name, isOff, onPress, children }: ToolButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      disabled={isOff}
      className="grid size-7 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      // Keeps the text's selection.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
