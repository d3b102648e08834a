/** What may be tried once more, and what would fail for everybody. */

/** SQLSTATE classes and system errors. */
const DATABASE_AWAY = /^(08|53|57|58|E[A-Z])/
/** One statement was cancelled: it waited too long for a lock, or took too long. The database is there. */
const CANCELLED = '57014'
/** With conflicts and deadlocks: what stood in the way may be gone in a moment. */
const PASSING: readonly unknown[] = [CANCELLED, '55P03', '40001', '40P01']

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code
}

/** Is the database out of reach, so that nothing else would succeed either? */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error)
  return typeof code === 'string' && code !== CANCELLED && DATABASE_AWAY.test(code)
}

/** Does the work, and once more when somebody stood in its way. So it must have no effects outside the database. */
export async function onceMore<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!PASSING.includes(codeOf(error))) throw error
    return work()
  }
}
