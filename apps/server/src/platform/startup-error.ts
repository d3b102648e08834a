/**
 * Something outside the program stops it from starting: a setting, a folder, a port, a database.
 * The message is one sentence or two for the person at the terminal: what is wrong and what to do.
 * The caller prints it without a stack trace and exits with status 2.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
