import { Plug } from 'lucide-react';
import { EmptyState } from '../ui/states.tsx';

/** What viewers find at every address of an integration. */
export function NotForViewers() {
  return (
    <EmptyState icon={<Plug />} title="For editors and admins">
      Integrations hold addresses and secrets, so viewers do not see them.
    </EmptyState>
  );
}
