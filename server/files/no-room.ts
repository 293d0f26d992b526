/** The file store has not enough room. */
export class NoRoom extends Error {
  override name = 'NoRoom';
}
