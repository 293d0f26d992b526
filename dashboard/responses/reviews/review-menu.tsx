import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ReviewBadge } from './review-badge.tsx';
import { REVIEW_STATES, type ReviewState } from './review-states.ts';

interface ReviewMenuProps {
  /** The element that opens the menu. */
  trigger: ReactNode;
  /** The present state; null for several responses. */
  state: ReviewState | null;
  onChoose(state: ReviewState): void;
}

/** A menu of the review states. */
export function ReviewMenu({ trigger, state, onChoose }: ReviewMenuProps) {
  return (
    <Menu trigger={trigger} align="start">
      {REVIEW_STATES.map((one) => (
        <MenuItem
          key={one}
          icon={state !== null && <Check aria-hidden="true" className={one === state ? '' : 'invisible'} />}
          onSelect={() => one !== state && onChoose(one)}
        >
          <ReviewBadge state={one} />
          {one === state && <span className="sr-only">, as it is now</span>}
        </MenuItem>
      ))}
    </Menu>
  );
}
