/**
 * Which older programs work on what a migration leaves. Two releases run side by side during a deploy, and the older one has to go
 * on: a file says so in its head, where a program that has never seen it can read it from the database.
 *
 *     -- compatible: yes
 *     -- compatible: since 0428, because older programs write the column that goes
 *     -- compatible: no, because every row means something else from now on
 */

export type Compatibility = {
  /** A program works on it that knows the migration of this number; 0: every older one; null: none. */
  readonly worksFrom: number | null
  /** Why not all do. */
  readonly because: string | null
}

const LINE = /^-- compatible: (?:(yes)|no, because (.+)|since (\d{4}), because (.+))$/

/** What the comment at the head of a file says; undefined when it says nothing that can be read. */
export function readCompatibility(sql: string): Compatibility | undefined {
  const lines = sql.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('--'))
  const said = lines
    .slice(0, end === -1 ? lines.length : end)
    .filter((line) => /^--\s*compatible\b/.test(line))
  const [, yes, no, since, because] = said.length === 1 ? (LINE.exec(said[0] ?? '') ?? []) : []
  if (yes) return { worksFrom: 0, because: null }
  if (no) return { worksFrom: null, because: no }
  if (since) return { worksFrom: Number(since), because: because ?? null }
  return undefined
}

/** A migration as the database tells of it. A database that an older release has migrated last does not have all of it. */
export type Applied = {
  readonly number: number
  readonly name: string
  readonly hash: string
  readonly works_from?: number | null
  readonly because?: string | null
  /** The version of the program that applied it. */
  readonly release?: string | null
}

/** Does a program that has the migrations `known` work where `applied`, which it does not have, was applied? */
export function worksOn(applied: Applied, known: ReadonlySet<number>): boolean {
  const { works_from: from } = applied
  return from === 0 || (typeof from === 'number' && known.has(from))
}

/** What a person does about a program that is too old for its database. */
export function tooOld({ name, because, release }: Applied): string {
  const why = because ? ` (${because})` : ''
  const which = release ? `Kvitt ${release}` : 'the version that made it'
  return `The database has migration ${name}, which this program does not know: it is newer, and this program does not work on it${why}. Start ${which}, or a later one.`
}
