/** Which failures mean that the database is not there, and not that it refused what was asked. */
import pg from 'pg'
import { UnsafeLogin } from './login-guard.ts'

/** The connection was lost or answered nothing in time. What it was asked last may have been done or not. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
}

/** The same of one host of several: what may be asked twice can be asked again, and another answers. */
export class HostAway extends DatabaseAway {}

/**
 * SQLSTATE classes and system errors: connection, resources, shutdown, fault of the system; a server that only reads,
 * which is one that another has taken the place of; and a connection that the server has ended for its silence.
 */
const AWAY = /^(08|53|57P|58|25006|25P03|25P04|E[A-Z])/
/** One statement waited too long for a lock, took too long, or was in another's way. The database is there. */
const BUSY: readonly unknown[] = ['57014', '55P03', '40001', '40P01']
/** The driver's own, which have no code. */
const LOST =
  /^(Connection terminated|Client has encountered|Client was closed|timeout e|Query read timeout|Cannot use a pool)/

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code
}

/** Is the database out of reach, so that nothing else would succeed either? */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseAway || error instanceof UnsafeLogin) return true
  const code = codeOf(error)
  if (typeof code === 'string') return AWAY.test(code)
  return error instanceof Error && !(error instanceof pg.DatabaseError) && LOST.test(error.message)
}

/** Is the connection gone, and not refused for want of memory, room or places (class 53)? */
export function isDatabaseLost(error: unknown): boolean {
  return isDatabaseAway(error) && !String(codeOf(error)).startsWith('53')
}

/** What stood in the way of one statement may be gone in a moment. */
export function isDatabaseBusy(error: unknown): boolean {
  return BUSY.includes(codeOf(error))
}
