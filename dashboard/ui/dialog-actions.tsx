import type { ReactNode } from 'react';

/** The buttons at the end of a dialog, the acting one last. They stay in view however high the content is. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 -mx-5 mt-4 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-5 py-4">
      {children}
    </div>
  );
}
