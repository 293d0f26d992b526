import { AtSign } from 'lucide-react';
import type { Property } from '../../../fields/property.ts';
import { isLayoutBlock } from '../../../fields/type-names.ts';
import { FieldItems } from '../../calculations/field-items.tsx';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';

const UNCHANGEABLE = 'You can read this text, but not change it.';

interface MentionMenuProps {
  /** Name of the text it inserts into, for screen readers. */
  into: string;
  /** Including calculations. */
  fields: readonly Property[];
  /** Whether the text is read-only. */
  isOff?: boolean;
  onChoose(field: Property): void;
}

/** A menu of the fields and calculations that can be inserted. */
export function MentionMenu({ into, fields, isOff = false, onChoose }: MentionMenuProps) {
  const questions = fields.filter(({ type }) => !isLayoutBlock(type));
  return (
    <Menu
      className="max-w-72"
      trigger={
        <Button
          size="sm"
          look="quiet"
          icon={<AtSign className="size-4" />}
          disabledReason={isOff ? UNCHANGEABLE : questions.length === 0 ? 'The form asks nothing yet.' : null}
        >
          Insert field<span className="sr-only"> into {into}</span>
        </Button>
      }
    >
      <FieldItems fields={questions} onChoose={onChoose} />
    </Menu>
  );
}
