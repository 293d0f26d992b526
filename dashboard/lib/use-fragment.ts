import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';

/** The fragment of this screen's address, without `#`. While the next screen is loading, it is still this one's. */
export function useFragment(): string {
  const path: string = useRouterState({ select: ({ location }) => location.pathname });
  const hash: string = useRouterState({ select: ({ location }) => location.hash });
  const [own, setOwn] = useState({ path, hash });
  if (path !== own.path || hash === own.hash) return own.hash;
  setOwn({ path, hash });
  return hash;
}
