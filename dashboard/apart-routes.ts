import { createRoute } from '@tanstack/react-router';
import { form } from './frames.tsx';
import { lazyScreen } from './lib/lazy-screen.ts';
import { only } from './lib/searches.ts';
import { readTrashSearch } from './responses/search.ts';

// Addresses of what is kept apart from the responses of a form. A part of router.tsx.

export const formResponsesTrash = createRoute({
  getParentRoute: () => form,
  path: '/responses/trash',
  validateSearch: only(readTrashSearch),
  component: lazyScreen(() => import('./routes/form/responses-trash.tsx'), 'FormResponsesTrash'),
});

export const formSetAside = createRoute({
  getParentRoute: () => form,
  path: '/responses/set-aside',
  component: lazyScreen(() => import('./routes/form/set-aside.tsx'), 'FormSetAside'),
});

export const formUnconfirmed = createRoute({
  getParentRoute: () => form,
  path: '/responses/unconfirmed',
  component: lazyScreen(() => import('./routes/form/unconfirmed.tsx'), 'FormUnconfirmed'),
});

export const formUnpaid = createRoute({
  getParentRoute: () => form,
  path: '/responses/unpaid',
  component: lazyScreen(() => import('./routes/form/unpaid.tsx'), 'FormUnpaid'),
});

export const formPaid = createRoute({
  getParentRoute: () => form,
  path: '/responses/paid',
  component: lazyScreen(() => import('./routes/form/paid.tsx'), 'FormPaid'),
});
