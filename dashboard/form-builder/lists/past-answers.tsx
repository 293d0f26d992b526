import { useQuery } from '@tanstack/react-query';
import type { RenamedOption } from '../../../fields/choices/renamed-options.ts';
import { hasAnyQuery } from '../../responses/queries.ts';
import { Checkbox } from '../../ui/checkbox.tsx';

interface PastAnswersProps {
  formId: number;
  renamed: readonly RenamedOption[];
  isOn: boolean;
  onChange(isOn: boolean): void;
}

/** Asks whether renamed options should be renamed in past answers too, if there are any. */
export function PastAnswers({ formId, renamed, isOn, onChange }: PastAnswersProps) {
  // The first response may have come since the form was opened.
  const { data: hasAny = false } = useQuery({ ...hasAnyQuery(String(formId)), staleTime: 0 });
  if (!hasAny) return null;
  return (
    <section className="grid gap-2 rounded-lg border border-line p-3">
      <Checkbox
        label="Rename options in past answers, too"
        hint="Otherwise figures and filters keep both names apart. Choose this only where the meaning is the same: it cannot be taken back."
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      <ul className="grid max-h-40 gap-1 overflow-y-auto ps-6.5">
        {renamed.map(({ propertyId, from, to }) => (
          <li key={`${propertyId} ${from}`} className="wrap-anywhere">
            <bdi className="text-muted">{from}</bdi> → <bdi>{to}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
