/**
 * Something outside the program stops it from starting: a setting, a folder, a port, a database.
 * The message is one sentence or two for the person at the terminal: what is wrong and what to do.
 * The caller prints it without a stack trace and exits with `status`: 2 when a person has to act, 1 when it may pass by
 * itself, so that whoever watches over the program starts it again.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly status: 1 | 2
  constructor(message: string, status: 1 | 2 = 2) {
    super(message)
    this.status = status
  }
}
