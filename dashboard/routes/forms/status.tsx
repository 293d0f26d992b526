import type { FormSummary } from '../../api/queries.ts';
import { Badge } from '../../ui/badge.tsx';

type Shown = Pick<
  FormSummary,
  'visibility' | 'is_closed' | 'opens_at' | 'max_number_of_submissions_reached' | 'trash_ends_at'
>;

/** Whether people can fill in the form now, as a badge. */
export function FormStatus({ form }: { form: Shown }) {
  if (form.trash_ends_at) return <Badge tone="warn">In the trash</Badge>;
  if (form.visibility === 'draft') return <Badge>Draft</Badge>;
  const opensLater = form.opens_at !== null && Date.parse(form.opens_at) > Date.now();
  if (opensLater && form.visibility === 'public') return <Badge tone="warn">Not open yet</Badge>;
  if (form.visibility === 'closed' || form.is_closed) return <Badge tone="warn">Closed</Badge>;
  if (form.max_number_of_submissions_reached) return <Badge tone="warn">Full</Badge>;
  return <Badge tone="good">Published</Badge>;
}
