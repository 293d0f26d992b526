import type { RegisteredRouter } from '@tanstack/react-router';

/**
 * Where in the browser's history the user is: somewhere else after going on, but not after a query that replaced another. The browser
 * knows at once of somebody who goes back, the router only once nothing keeps them.
 */
export function presentPlace(): string {
  return `${history.state?.__TSR_index} ${location.pathname}`;
}

/** Whether the user is at an address with this part, such as `/forms/5`, or at one below it. */
export function isWithin({ state: { location } }: RegisteredRouter, part: string): boolean {
  return `${location.pathname}/`.includes(`${part}/`);
}
