import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatNumber } from '../lib/format.ts';
import { Button } from './button.tsx';

interface PaginationProps {
  page: number;
  lastPage: number;
  total: number;
  onChange(page: number): void;
}

/** Nothing if everything fits on one page. */
export function Pagination({ page, lastPage, total, onChange }: PaginationProps) {
  if (lastPage <= 1) return null;
  return (
    <nav aria-label="Pages" className="mt-4 flex items-center justify-between gap-3">
      <p className="text-muted">
        Page {formatNumber(page)} of {formatNumber(lastPage)} · {formatNumber(total)} in all
      </p>
      <div className="flex gap-2">
        <Button
          icon={<ChevronLeft className="size-4 rtl:rotate-180" />}
          disabled={page <= 1}
          onClick={() => onChange(page - 1)}
        >
          Previous
        </Button>
        <Button disabled={page >= lastPage} onClick={() => onChange(page + 1)}>
          Next <ChevronRight className="size-4 rtl:rotate-180" />
        </Button>
      </div>
    </nav>
  );
}
