import { type Dispatch, useMemo, useRef } from 'react';
import { canonicalTypeName, holdsFiles } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';
import { asFields } from '../calculations/fields.ts';
import { isAtLeast, useWorkspace } from '../lib/workspace.ts';
import type { Builder } from './builder-context.ts';
import type { Definition } from './definition.ts';
import type { Edit } from './edits.ts';
import type { PageTools } from './pages/use-collapsed.ts';
import type { Published } from './publishing/use-published.ts';
import { useOwnToasts } from './use-own-toasts.ts';

interface Parts {
  now: Definition;
  edit: Dispatch<Edit>;
  pages: PageTools;
  announce(text: string): void;
  refusal: string | null;
  published: Published;
}

/** What nested parts of the builder work with; the same object while a block is edited. */
export function useBuilderTools(
  { computed_variables: calculations }: Form,
  { now, edit, pages, announce, refusal, published }: Parts,
): Builder {
  const mayAddCode = isAtLeast(useWorkspace().role, 'admin');
  const showToast = useOwnToasts();
  const blocks = useRef(now.properties);
  blocks.current = now.properties;
  return useMemo<Builder>(
    () => ({
      edit,
      calculations: asFields(calculations),
      blocks: () => blocks.current,
      pages,
      announce,
      showToast,
      refusal,
      mayAddCode,
      holdsFiles: (id) =>
        published.definition.properties.some(
          (block) => block.id === id && holdsFiles(canonicalTypeName(block.type)),
        ),
      hasAnswers: published.form.visibility !== 'draft',
    }),
    [edit, calculations, pages, announce, showToast, refusal, mayAddCode, published],
  );
}
