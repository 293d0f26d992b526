import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { areCallsRefused } from './api/client.ts';
import { createQueryClient } from './api/query-client.ts';
import { followFocus } from './lib/follow-focus.ts';
import { handOnNonce } from './lib/nonce.ts';
import { applyTheme } from './lib/theme.ts';
import { createDashboardRouter } from './router.tsx';
import { followOtherTabs } from './shell/follow-tabs.ts';
import { Toasts } from './ui/toasts.tsx';
import { TooltipProvider } from './ui/tooltip.tsx';

applyTheme();
handOnNonce();
followFocus();

const queryClient = createQueryClient(() =>
  areCallsRefused() ? window.location.reload() : void router.invalidate(),
);
const router = createDashboardRouter(queryClient);
followOtherTabs(queryClient);

const place = document.getElementById('app');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <RouterProvider router={router} />
          <Toasts />
        </TooltipProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
