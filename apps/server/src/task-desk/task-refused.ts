import type { ErrorCode } from '@kvitt/domain/errors.ts'

/** Why nothing was done about a task, for a person to read. Nothing has changed. */
export class TaskRefused extends Error {
  override name = 'TaskRefused'
  /** What a portal is told. */
  readonly code: ErrorCode
  constructor(message: string, code: ErrorCode = 'invalid_request') {
    super(message)
    this.code = code
  }
}
