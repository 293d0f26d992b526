/** A cell of a printed table. Names are what people typed: line ends and terminal commands are not passed on. */
export function oneLine(cell: string | number): string {
  return String(cell).replace(/\p{C}/gu, ' ');
}
