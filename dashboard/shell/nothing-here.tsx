import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { buttonClasses } from '../ui/button.tsx';
import { useTitle } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';

export function NothingHere() {
  useTitle('Not found');
  return (
    <div className="mx-auto w-full max-w-2xl p-6">
      <EmptyState
        level={1}
        icon={<Compass />}
        title="There is nothing at this address"
        action={
          <Link to="/" className={buttonClasses('primary')}>
            To your forms
          </Link>
        }
      >
        It may have been deleted, or the link is incomplete.
      </EmptyState>
    </div>
  );
}
