import { type ClipboardEvent, useId } from 'react';
import type { Property } from '../../fields/property.ts';
import { asChips, CHIPS, withoutCarets } from '../form-builder/texts/mention-chips.ts';
import { MentionMenu } from '../form-builder/texts/mention-menu.tsx';
import { safeNodes } from '../form-builder/texts/safe-html.ts';
import { useEditable } from '../form-builder/texts/use-editable.ts';
import { Problems } from '../settings/problems.tsx';
import { mentionMarkup, splitMentions } from './mentions.ts';

interface MentionLineProps {
  label: string;
  value: string;
  placeholder: string;
  fields: readonly Property[];
  hint?: string | undefined;
  isReadOnly?: boolean;
  problems: readonly string[];
  onChange(value: string): void;
}

/** One line of text with mentions. */
export function MentionLine({
  label,
  value,
  placeholder,
  fields,
  hint,
  isReadOnly = false,
  problems,
  onChange,
}: MentionLineProps) {
  const id = useId();
  const { box, read, keepCaret, insert } = useEditable({
    value,
    nodesOf: (line) => lineNodes(line, fields),
    valueIn: lineOf,
    onChange(line = '') {
      // Browsers leave elements in an empty box, which would hide the placeholder.
      if (line === '') box.current?.replaceChildren();
      onChange(line);
    },
  });
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault();
    const text = event.clipboardData.getData('text/plain').replace(/\s+/g, ' ');
    document.execCommand('insertText', false, text);
  };
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span id={id} className="font-medium">
          {label}
        </span>
        <MentionMenu into={label} fields={fields} isOff={isReadOnly} onChoose={insert} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: no input of the platform holds what is deleted as a whole */}
      <div
        ref={box}
        role="textbox"
        tabIndex={0}
        aria-labelledby={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        aria-invalid={problems.length > 0 || undefined}
        aria-placeholder={placeholder}
        data-placeholder={placeholder}
        aria-readonly={isReadOnly}
        contentEditable={!isReadOnly}
        suppressContentEditableWarning
        dir="auto"
        className={`min-h-9 w-full min-w-0 rounded-lg border border-edge/70 bg-surface px-3 py-1.5 break-words whitespace-pre-wrap shadow-xs empty:before:text-muted empty:before:content-[attr(data-placeholder)] focus-visible:outline-2 focus-visible:-outline-offset-1 aria-invalid:border-bad ${CHIPS}`}
        onInput={read}
        onPaste={onPaste}
        onBlur={keepCaret}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
          {hint}
        </p>
      )}
      <Problems texts={problems} />
    </div>
  );
}

/** The text is not parsed as markup, except for mentions. */
function lineNodes(line: string, fields: readonly Property[]): DocumentFragment {
  const nodes = document.createDocumentFragment();
  for (const part of splitMentions(line))
    nodes.append(typeof part === 'string' ? part : safeNodes(mentionMarkup(part)));
  return asChips(nodes, fields);
}

function lineOf(box: HTMLElement): string {
  const parts = [...box.childNodes].map((node) => {
    const fieldId = node instanceof Element ? node.getAttribute('mention-field-id') : null;
    const name = node.textContent ?? '';
    if (!(node instanceof Element) || fieldId === null) return name;
    return mentionMarkup({ fieldId, fallback: node.getAttribute('mention-fallback') ?? '', name });
  });
  return withoutCarets(parts.join('')).replace(/\s/g, ' ');
}
