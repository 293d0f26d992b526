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
