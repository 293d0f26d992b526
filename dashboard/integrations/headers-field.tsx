import { Plus, Trash2 } from 'lucide-react';
import { Problems } from '../settings/problems.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Input } from '../ui/input.tsx';
import { type Header, MASK, newHeader } from './draft.ts';

const MOST = 20;

interface HeadersFieldProps {
  headers: readonly Header[];
  problems: string[];
  onChange(headers: Header[]): void;
}

/** Custom headers; a stored value stays hidden until it is replaced. */
export function HeadersField({ headers, problems, onChange }: HeadersFieldProps) {
  const replace = (key: string, part: Partial<Header>) =>
    onChange(headers.map((header) => (header.key === key ? { ...header, ...part } : header)));
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-1.5 font-medium">Headers</legend>
      {headers.map(({ key, name, value }, index) => (
        <div key={key} className="flex gap-2">
          <Input
            dir="ltr"
            aria-label={`Name of header ${index + 1}`}
            placeholder="X-Source"
            className="font-mono text-[0.8125rem]"
            value={name}
            maxLength={255}
            onChange={({ target }) =>
              // A renamed header has no stored value.
              replace(key, { name: target.value, ...(value === MASK && { value: '' }) })
            }
          />
          <Input
            dir="ltr"
            aria-label={`Value of header ${index + 1}`}
            className="font-mono text-[0.8125rem]"
            value={value === MASK ? '' : value}
            placeholder={value === MASK ? `${MASK} (stored)` : 'Value'}
            maxLength={1_024}
            onChange={({ target }) => replace(key, { value: target.value })}
          />
          <IconButton
            label={`Remove header ${name || index + 1}`}
            onClick={() => onChange(headers.filter((header) => header.key !== key))}
          >
            <Trash2 className="size-4" />
          </IconButton>
        </div>
      ))}
      <Problems texts={problems} />
      <div>
        <Button
          size="sm"
          icon={<Plus className="size-4" />}
          disabledReason={headers.length >= MOST ? `${MOST} headers at most.` : null}
          onClick={() => onChange([...headers, newHeader()])}
        >
          Add header
        </Button>
      </div>
    </fieldset>
  );
}
