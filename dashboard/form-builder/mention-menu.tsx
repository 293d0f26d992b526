import { AtSign } from 'lucide-react';
import type { Property } from '../../fields/property.ts';
import { isLayoutBlock } from '../../fields/type-names.ts';
import { FieldItems } from '../calculations/field-items.tsx';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';

const UNCHANGEABLE = 'You can read this text, but not change it.';

interface MentionMenuProps {
  /** Where it is inserted, for those who do not see it. */
  into: string;
  /** Calculations too. */
  fields: readonly Property[];
  /** The text cannot be changed. */
  isOff?: boolean;
  onChoose(field: Property): void;
}

/** The fields whose answers can be inserted, and the calculations. */
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
