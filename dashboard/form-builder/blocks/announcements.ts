import type { Announcements, UniqueIdentifier } from '@dnd-kit/core';

/** Screen reader announcements while something is dragged. */
export function announcementsFor(
  nameOf: (id: UniqueIdentifier) => string,
  placeOf: (id: UniqueIdentifier) => string = (id) => `the place of ${nameOf(id)}`,
): Announcements {
  return {
    onDragStart: ({ active }) => `Picked up ${nameOf(active.id)}.`,
    onDragOver: ({ active, over }) =>
      over ? `${nameOf(active.id)} is over ${placeOf(over.id)}.` : `${nameOf(active.id)} is over nothing.`,
    onDragEnd: ({ active, over }) =>
      over ? `${nameOf(active.id)} was put to ${placeOf(over.id)}.` : `${nameOf(active.id)} was put back.`,
    onDragCancel: ({ active }) => `${nameOf(active.id)} was put back.`,
  };
}

/** The next announcement. The same text again is not said unless it differs in something, such as a blank that nobody hears. */
export function sayAnew(former: string, text: string): string {
  return text === former ? `${text}\u00a0` : text;
}
