import { useRef, useState } from 'react';
import { isPicturePath } from '../../fields/block-options/picture-path.ts';
import { classes } from '../lib/classes.ts';
import { Button } from '../ui/button.tsx';
import { useFieldProps } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { PicturesDialog } from './pictures-dialog.tsx';

interface PictureInputProps {
  /** Address on the web or of a stored picture; empty for none. */
  value: string;
  /** The picture's purpose: `Logo`. */
  label: string;
  isOff: boolean;
  maxLength?: number;
  isInvalid?: boolean;
  onChange(value: string): void;
}

/** A picture, chosen from the stored ones, uploaded, or given by address. */
export function PictureInput({ value, label, isOff, maxLength, isInvalid, onChange }: PictureInputProps) {
  const [isChoosing, setChoosing] = useState(false);
  const chooser = useRef<HTMLButtonElement>(null);
  const fieldProps = useFieldProps();
  const isOwn = isPicturePath(value);
  return (
    <div className={classes('flex min-w-0 items-center gap-2', isOwn && 'flex-wrap')}>
      {isOwn ? (
        <img
          src={value}
          alt={`${label}, as it is now`}
          className="h-9 max-w-32 min-w-0 rounded-lg border border-line bg-surface object-contain"
        />
      ) : (
        <Input
          type="url"
          dir="ltr"
          placeholder="https://"
          aria-label={label}
          maxLength={maxLength}
          readOnly={isOff}
          value={value}
          {...(isInvalid && { 'aria-invalid': true })}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {!isOff && (
        <Button
          ref={chooser}
          aria-label={`${isOwn ? 'Change' : 'Choose'}: ${label}`}
          {...(isOwn && fieldProps)}
          onClick={() => setChoosing(true)}
        >
          {isOwn ? 'Change' : 'Choose'}
        </Button>
      )}
      {!isOff && isOwn && (
        <Button
          look="quiet"
          aria-label={`Remove: ${label}`}
          onClick={() => {
            onChange('');
            chooser.current?.focus();
          }}
        >
          Remove
        </Button>
      )}
      <PicturesDialog
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
        onChoose={(url) => {
          onChange(url);
          setChoosing(false);
        }}
      />
    </div>
  );
}
