import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { isReachable, unreachable } from '../api/client.ts';

/**
 * A screen that is loaded when it is opened. What does not arrive although the service answers is gone after an update: the
 * library loads the page anew. Where nothing answers the page would be lost by that, so it stays, and can try again.
 */
export function lazyScreen<Module extends Record<string, ComponentType>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      throw (await isReachable()) ? error : unreachable();
    }
  }, name);
}
