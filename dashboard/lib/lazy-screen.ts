import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { isReachable, unreachable } from '../api/client.ts';

/**
 * A screen that is loaded when it is opened. If its file is missing although the service responds, an update has replaced it, and
 * the library reloads the page. Without a response a reload would lose the page, so it stays and can try again.
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
