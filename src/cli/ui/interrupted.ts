/** The user gave up: by a signal, or at a question. Ends in exit code 130. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
  }
}
