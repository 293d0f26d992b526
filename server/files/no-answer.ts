/** The store has not answered in time: it is not asked for anything else right away. */
export class NoAnswer extends Error {
  constructor() {
    super('The file store did not answer in time.');
  }
}
