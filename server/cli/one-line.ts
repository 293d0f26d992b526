/** A cell of a printed table. People type names, so line ends and terminal control codes are removed. */
export function oneLine(cell: string | number): string {
  return String(cell).replace(/\p{C}/gu, ' ');
}
