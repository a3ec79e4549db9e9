/** Error for a user who interrupts the command by a signal or at a prompt. The exit code is 130. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
  }
}
