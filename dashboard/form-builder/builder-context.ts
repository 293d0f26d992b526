import { createContext, type Dispatch, useContext } from 'react';
import type { Property } from '../../fields/property.ts';
import type { Toast } from '../ui/toasts.tsx';
import type { Edit } from './edits.ts';
import type { PageTools } from './use-collapsed.ts';

/** What parts of the builder deep inside need; none of it changes while a block is edited. */
export interface Builder {
  edit: Dispatch<Edit>;
  /** What the form works out, as fields: conditions can ask for it, texts say it. */
  calculations: readonly Property[];
  /** All blocks at this moment, for those who ask when something happens. */
  blocks(): readonly Property[];
  pages: PageTools;
  /** Said to people who hear the page. */
  announce(text: string): void;
  /** Says what was done, with a way back. */
  showToast(toast: Toast): void;
  /** Why nothing can be changed here; null where everything can. */
  refusal: string | null;
  /** Whether the question stands in the published form and takes files: they would have no place in another. */
  holdsFiles(id: string): boolean;
  /** Whether people may have answered the published form. */
  hasAnswers: boolean;
  /** Whether the person may write code into forms. */
  mayAddCode: boolean;
}

export const BuilderContext = createContext<Builder | null>(null);

export function useBuilder(): Builder {
  const builder = useContext(BuilderContext);
  if (!builder) throw new Error('There is no builder around this.');
  return builder;
}
