import { memo, useEffect, useId, useRef } from 'react';
import type { Property } from '../../fields/property.ts';
import { HtmlEditor } from '../form-builder/texts/html-editor.tsx';
import { asChips, CHIPS } from '../form-builder/texts/mention-chips.ts';
import { RICH, safeNodes } from '../form-builder/texts/safe-html.ts';
import { Fallbacks } from '../integrations/fallbacks.tsx';
import { Button } from '../ui/button.tsx';
import { Input, Textarea } from '../ui/input.tsx';
import { directionOf, languageName } from './languages.ts';
import type { Place, Text } from './texts.ts';

interface TextRowProps {
  text: Text;
  value: string;
  language: string;
  ownLanguage: string;
  /** Fields whose answers may be mentioned. */
  fields: readonly Property[] | undefined;
  isDisabled: boolean;
  onChange(place: Place, text: string): void;
}

/** An original text and its translation. */
export const TextRow = memo(function TextRow(props: TextRowProps) {
  const { text, ownLanguage, fields } = props;
  const id = useId();
  const ids = { label: `${id}-label`, original: `${id}-original` };
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-2 border-t border-line py-3 md:grid-cols-2">
      <div className="min-w-0">
        <p id={ids.label} className="text-[0.8125rem] text-muted">
          {text.label}
        </p>
        {text.kind === 'html' ? (
          <OriginalHtml id={ids.original} html={text.original} lang={ownLanguage} fields={fields} />
        ) : (
          <p id={ids.original} lang={ownLanguage} dir="auto" className="wrap-anywhere whitespace-pre-line">
            {text.original}
          </p>
        )}
      </div>
      <div className="min-w-0">
        <Translation {...props} ids={ids} />
      </div>
    </div>
  );
});

function Translation({
  text,
  value,
  language,
  fields,
  isDisabled,
  onChange,
  ids,
}: TextRowProps & { ids: { label: string; original: string } }) {
  const write = (next: string | undefined) => onChange(text.place, next ?? '');
  const said = { lang: language, dir: directionOf(language) };
  if (text.kind === 'html')
    return (
      <div className="grid grid-cols-1 gap-2">
        <HtmlEditor
          {...said}
          label={`${text.label} in ${languageName(language)}`}
          isLabelHidden
          value={value}
          textOf={text.key}
          isReadOnly={isDisabled}
          fields={fields}
          onChange={write}
        />
        {value === '' && !isDisabled && (
          <Button size="sm" className="justify-self-start" onClick={() => write(text.original)}>
            Begin with the original
          </Button>
        )}
        {fields && !isDisabled && (
          <Fallbacks
            of={`${text.label} in ${languageName(language)}`}
            text={value}
            fields={fields}
            onChange={write}
          />
        )}
      </div>
    );
  const shared = {
    ...said,
    value,
    maxLength: text.maxLength,
    disabled: isDisabled,
    'data-text-of': text.key,
  };
  if (text.kind === 'long')
    return (
      <Textarea
        {...shared}
        rows={2}
        className="field-sizing-content max-h-80 min-h-16"
        aria-labelledby={ids.label}
        aria-describedby={ids.original}
        onChange={({ target }) => write(target.value)}
      />
    );
  return (
    <Input
      {...shared}
      aria-labelledby={`${ids.label} ${ids.original}`}
      onChange={({ target }) => write(target.value)}
    />
  );
}

function OriginalHtml({
  id,
  html,
  lang,
  fields = [],
}: {
  id: string;
  html: string;
  lang: string;
  fields: readonly Property[] | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.replaceChildren(asChips(safeNodes(html), fields));
  }, [html, fields]);
  return <div ref={box} id={id} lang={lang} dir="auto" className={`${RICH} wrap-anywhere ${CHIPS}`} />;
}
