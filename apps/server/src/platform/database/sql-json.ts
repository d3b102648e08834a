/**
 * JSON written by the database, as the SQL of a text. What `json_build_object` would write, at half of its cost: that
 * looks up the type of every field of every row again.
 */

/** An SQL expression that is written as JSON, null or not; one of the two below; or what stands inside. */
export type SqlJson = string | Written | { readonly [name: string]: SqlJson }

class Written {
  readonly sql: string
  readonly isQuoted: boolean
  constructor(sql: string, isQuoted: boolean) {
    this.sql = sql
    this.isQuoted = isQuoted
  }
}

/** An expression whose text is JSON already, and which is never null. */
export const asWritten = (sql: string): Written => new Written(sql, false)

/** An identifier or a code: never null, and without a sign that JSON would escape. */
export const word = (sql: string): Written => new Written(sql, true)

/** Minor units, never null, as a number with two decimals. */
export const amount = (minor: string): Written => asWritten(`${minor} * 0.01`)

/** An instant, null or not, as ISO 8601 in UTC. */
export const instantText = (sql: string): string =>
  `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

type Piece = { readonly text: string; readonly isSql: boolean }

const literal = (text: string): Piece => ({ text, isSql: false })

function piecesOf(json: SqlJson): Piece[] {
  if (typeof json === 'string') return [{ text: `coalesce(to_json(${json}), 'null')`, isSql: true }]
  if (json instanceof Written) {
    const piece = { text: json.sql, isSql: true }
    return json.isQuoted ? [literal('"'), piece, literal('"')] : [piece]
  }
  const fields = Object.entries(json).flatMap(([name, value], index) => [
    literal(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`),
    ...piecesOf(value),
  ])
  return [literal('{'), ...fields, literal('}')]
}

/** The SQL of the JSON's text. It has no line breaks: those of a value are escaped. */
export function sqlJson(json: SqlJson): string {
  const joined: Piece[] = []
  for (const piece of piecesOf(json)) {
    const last = joined.at(-1)
    if (last && !last.isSql && !piece.isSql) joined[joined.length - 1] = literal(last.text + piece.text)
    else joined.push(piece)
  }
  const texts = joined.map(({ text, isSql }) => (isSql ? text : `'${text.replaceAll("'", "''")}'`))
  return `concat(${texts.join(', ')})`
}
