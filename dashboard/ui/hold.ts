import { createContext, useContext } from 'react';

/** Whether a dialog waits, and whether its screen may be left meanwhile. */
export type Hold = 'no' | 'may leave' | 'stays';

export const HoldContext = createContext({ isHeld: false, hold: (_hold: Hold) => {} });

/** For inputs that are typed into: what is typed while their dialog waits would be lost when it closes. */
export function useHeldProps(): { readOnly?: true } {
  return useContext(HoldContext).isHeld ? { readOnly: true } : {};
}
