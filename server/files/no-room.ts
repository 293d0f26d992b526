/** There is not so much room where files are kept. */
export class NoRoom extends Error {
  override name = 'NoRoom';
}
