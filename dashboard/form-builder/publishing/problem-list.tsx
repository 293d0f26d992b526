import type { ReactNode } from 'react';
import type { Problem } from './problems.ts';

interface ProblemListProps {
  title: string;
  icon: ReactNode;
  problems: readonly Problem[];
  nameOf(id: string | null): string;
  isOff: boolean;
  onShow(blockId: string): void;
}

/** Problems under a title; a click shows the block that one is about. Nothing if there is none. */
export function ProblemList({ title, icon, problems, nameOf, isOff, onShow }: ProblemListProps) {
  if (problems.length === 0) return null;
  return (
    <section className="grid gap-1.5">
      <h3 className="flex items-center gap-2 font-medium">
        <span aria-hidden="true">{icon}</span>
        {title}
      </h3>
      <ul className="grid max-h-64 gap-1 overflow-y-auto">
        {problems.map(({ blockId, text }) => (
          <li key={`${blockId} ${text}`}>
            {blockId === null ? (
              <p className="px-2 py-1">{text}</p>
            ) : (
              <button
                type="button"
                className="w-full rounded-md px-2 py-1 text-start hover:bg-hover aria-disabled:opacity-50"
                aria-disabled={isOff}
                onClick={() => !isOff && onShow(blockId)}
              >
                <bdi className="font-medium break-words">{nameOf(blockId)}</bdi>
                <span className="block text-muted">{text}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
