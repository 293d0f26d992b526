import { createContext, type Dispatch, useContext } from 'react';
import type { Property } from '../../fields/property.ts';
import type { Toast } from '../ui/toasts.tsx';
import type { Edit } from './edits.ts';
import type { PageTools } from './pages/use-collapsed.ts';

/** For deeply nested parts of the builder; none of it changes while a block is edited. */
export interface Builder {
  edit: Dispatch<Edit>;
  /** The form's calculations as fields, for conditions and texts. */
  calculations: readonly Property[];
  /** The blocks at this moment, for event handlers. */
  blocks(): readonly Property[];
  pages: PageTools;
  /** Announces a text to screen readers. */
  announce(text: string): void;
  /** Shows what was done, with an undo. */
  showToast(toast: Toast): void;
  /** Why nothing can be changed here; null if everything can. */
  refusal: string | null;
  /** Whether the question is published and takes files, which no other type could hold. */
  holdsFiles(id: string): boolean;
  /** Whether the published form may have answers. */
  hasAnswers: boolean;
  /** Whether the person may write code into forms. */
  mayAddCode: boolean;
}

export const BuilderContext = createContext<Builder | null>(null);

/** Whether the question to publish the form is open, which tells what is wrong with it. Apart, as hardly any part needs it. */
export const IsPublishing = createContext(false);

export function useBuilder(): Builder {
  const builder = useContext(BuilderContext);
  if (!builder) throw new Error('There is no builder around this.');
  return builder;
}
