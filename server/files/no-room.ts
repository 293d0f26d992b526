/** The file store has not enough room. */
export class NoRoom extends Error {
  override name = 'NoRoom';
  override message = 'the place of the files has not enough room';
}
