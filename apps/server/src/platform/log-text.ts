/**
 * What of an error may be logged: where it arose and of which sort it is. Its own words may repeat what somebody sent, and
 * the database's quote the row that stood in the way.
 */
import pg from 'pg'

/** Ids of ours and calendar days name nobody, and stay. */
const KEPT = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b\d{4}-\d\d-\d\d\b/gi
const QUOTED = /"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”|«[^»]*»/g
const ADDRESS = /\S+@\S+/g
/** Zips, references, account and personal numbers, in groups or not. */
const DIGITS = /\+?\d(?:[ \u00a0-]?\d){3,}/g
const GONE = '[…]'
const LONGEST = 500
const DEEPEST = 4

function removeData(text: string): string {
  return text.replace(QUOTED, GONE).replace(ADDRESS, GONE).replace(DIGITS, GONE)
}

/** A sentence without what is quoted in it, without addresses, and without numbers of more than three digits. */
export function withoutData(text: string): string {
  const short = text.slice(0, LONGEST)
  const kept = short.match(KEPT) ?? []
  return short
    .split(KEPT)
    .map((part, at) => removeData(part) + (kept[at] ?? ''))
    .join('')
}

/** Where it arose: a line for each call, without the message that stands above them. */
export function framesOf(error: Error): string[] {
  const lines = error.stack?.split('\n') ?? []
  return lines
    .map((line) => line.trim())
    .filter((line) => /^at .*(:\d+:\d+\)?|<anonymous>\)?|native\)?)$/.test(line))
}

/** Of what the system and the database say besides, these are names and numbers of their own. */
const PLAIN = ['code', 'errno', 'syscall', 'hostname', 'address', 'port', 'statusCode', 'responseCode', 'severity',
  'schema', 'table', 'column', 'dataType', 'constraint', 'routine', 'position'] as const // biome-ignore format: a list of names

function messageOf(error: Error): string {
  if (error instanceof pg.DatabaseError) return `the database refused a statement (${error.code})`
  // A parser shows the text that it stumbled over.
  if (error instanceof SyntaxError) return 'a text could not be read'
  return withoutData(error.message)
}

/** An error as it is logged, with its causes. What was thrown and is no error is named by its type alone. */
export function errorForLog(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const besides = error as unknown as Record<string, unknown>
  const plain = PLAIN.flatMap((name) => {
    const value = besides[name]
    return typeof value === 'number' || typeof value === 'string' ? [[name, value] as const] : []
  })
  const causes = [error.cause, ...(error instanceof AggregateError ? error.errors : [])]
    .filter((cause) => cause !== undefined && depth < DEEPEST)
    .slice(0, DEEPEST)
  return {
    type: error.name,
    message: messageOf(error),
    ...Object.fromEntries(plain),
    stack: framesOf(error).join('\n'),
    ...(causes.length > 0 ? { causes: causes.map((cause) => errorForLog(cause, depth + 1)) } : {}),
  }
}
