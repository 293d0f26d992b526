import { Sigma } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Property } from '../../fields/property.ts';
import type { Errors } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Textarea } from '../ui/input.tsx';
import { Menu } from '../ui/menu.tsx';
import { FieldItems } from './field-items.tsx';
import type { FormulaNames } from './formula-names.ts';

interface FormulaInputProps {
  /** Key in the request. */
  name: string;
  /** Name of the calculation, for the accessible label. */
  of: string;
  /** Formula with ids. */
  formula: string;
  names: FormulaNames;
  /** The fields it may use. */
  fields: readonly Property[];
  errors: Errors;
  refusal: string | null;
  onChange(formula: string): void;
}

/** An input for a formula, with names in place of ids. */
export function FormulaInput({
  name,
  of,
  formula,
  names,
  fields,
  errors,
  refusal,
  onChange,
}: FormulaInputProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  /** The text as typed, to keep spaces in braces while typing. */
  const [typed, setTyped] = useState<string | null>(null);
  const isTyped = typed !== null && names.toIds(typed) === formula;
  const insert = (field: Property) => {
    box.current?.focus();
    // Inserted as if typed, so that the keyboard's undo works.
    document.execCommand('insertText', false, `{${names.labelOf(field.id)}}`);
  };
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <Field name={name} label="Formula" errors={errors}>
        <Textarea
          ref={box}
          dir="ltr"
          rows={2}
          spellCheck={false}
          autoCapitalize="off"
          className="field-sizing-content max-h-60 min-h-16 font-mono text-[0.8125rem]"
          placeholder="{Price} * {Number}"
          value={isTyped ? typed : names.toNames(formula)}
          disabled={refusal !== null}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(names.toIds(target.value));
          }}
          onBlur={() => setTyped(null)}
        />
      </Field>
      <Menu
        align="start"
        className="max-w-72"
        trigger={
          <Button
            size="sm"
            look="quiet"
            className="justify-self-start"
            icon={<Sigma className="size-4" />}
            disabledReason={
              refusal ?? (fields.length === 0 ? 'No question of the form is published yet.' : null)
            }
          >
            Insert question<span className="sr-only"> into {of}</span>
          </Button>
        }
      >
        <FieldItems fields={fields} onChoose={insert} />
      </Menu>
    </div>
  );
}
