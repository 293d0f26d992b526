/** The store has not answered in time. Callers should not ask it for anything else right away. */
export class NoAnswer extends Error {
  constructor() {
    super('The file store did not answer in time.');
  }
}
