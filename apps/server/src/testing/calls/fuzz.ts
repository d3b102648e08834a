/** Bad input by chance, the same for the same seed: values that a schema expects or does not, and a look at what must not change. */
import type { JsonSchema } from '@kvitt/domain/schema.contract.ts'
import type { Operation } from '../../platform/http/openapi.ts'
import type { TestDatabase } from '../test-database.ts'

/** The least that a schema accepts, or nearly. */
export function sampleOf(schema: JsonSchema): unknown {
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0])
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  if (schema.type === 'array') return []
  if (schema.type === 'number' || schema.type === 'integer') return 1
  if (schema.type === 'boolean') return false
  if (schema.type === 'string') return schema.format === 'uuid' ? crypto.randomUUID() : '1'
  const fields = Object.entries(schema.properties ?? {})
  return Object.fromEntries(fields.map(([name, inner]) => [name, sampleOf(inner)]))
}

/** A body that the schema of the call accepts, or nearly; nothing for a call that takes none. */
export function sampleBody(operation: Operation): unknown {
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  return schema ? sampleOf(schema) : undefined
}

/** A repeatable stream of numbers from 0 up to 1 (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What no schema expects, or expects with another meaning (the set U of the bad inputs). */
export const ODD: readonly unknown[] = [
  '', ' ', '\u0000', '\r\nSet-Cookie: a=b', '\u202e', 'e\u0301'.repeat(200), '😀', '１２３', '٣', 'x'.repeat(9000), -1, 0, -0.5, 1e308, 1e-7,
  2 ** 53, 2 ** 31, '9007199254740993', 'NaN', 'Infinity', "'; drop table invoice;--", '%00', '${7*7}', '{{7*7}}', '<svg onload=alert(1)>',
  '../../etc/passwd', '..%2f', '__proto__', 'constructor', null, true, [], {}, [[[]]], { a: { a: { a: 1 } } }, '1,5', '1e3', '2026-02-30',
  '2026-11-20T00:00:00Z', 'ACTIVATED[OR]', '[OR][OR]', 'id;', '-1', '1.5', '1000000000000',
] // biome-ignore format: a list of inputs

export type Pair = readonly [string, string]

export class Fuzz {
  readonly next: () => number
  /** Of debts that there are, so that some calls find one. */
  readonly pairs: readonly Pair[]
  constructor(seed: number, pairs: readonly Pair[] = []) {
    this.next = chance(seed)
    this.pairs = pairs
  }
  oneOf<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T
  }
  /** A value that fits, or one that does not. */
  value(schema: JsonSchema): unknown {
    return this.next() < 0.5 ? sampleOf(schema) : this.oneOf(ODD)
  }
  query(operation: Operation): string {
    const search = new URLSearchParams()
    for (const { name, schema } of operation.parameters.filter((p) => p.in === 'query')) {
      const times = this.oneOf([0, 0, 1, 1, 2])
      const isReference = name === 'paymentReference' && this.pairs.length > 0 && this.next() < 0.7
      const value = (): unknown => (isReference ? this.oneOf(this.pairs)[0] : this.value(schema))
      for (let i = 0; i < times; i++) search.append(name, String(value()))
    }
    if (this.next() < 0.1) search.append(String(this.oneOf(ODD)), String(this.oneOf(ODD)))
    return search.size > 0 ? `?${search.toString()}` : ''
  }
  /** `good` with fields left out, wrong and added; now and then something else altogether. */
  body(good: unknown): unknown {
    const kind = this.next()
    if (kind < 0.1) return this.oneOf(ODD.filter((odd) => odd !== undefined))
    if (kind < 0.15) return '{"a":'
    if (good === null || typeof good !== 'object') return {}
    const changed = Object.entries(good).flatMap(([name, value]): [string, unknown][] => {
      const turn = this.next()
      return turn < 0.1 ? [] : [[name, turn < 0.6 ? this.oneOf(ODD) : value]]
    })
    if (this.next() < 0.2) changed.push([String(this.oneOf(ODD)), this.oneOf(ODD)])
    return Object.fromEntries(changed)
  }
}

const MONEY = [
  'posting', 'ledger_transaction', 'ledger_account', 'payment', 'payment_move', 'invoice', 'dispute', 'dispute_file', 'file', 'collection_step', 'task',
  'settlement', 'waiting_act', 'bulk_act', 'conversation', 'import', 'webhook', 'membership', 'bank_file', 'bank_line',
] // biome-ignore format: a list of tables

/** Other after any write: a row that is written, even with the same values, has another transaction's number. */
export async function fingerprint(test: TestDatabase): Promise<string> {
  const parts = MONEY.map((t) => `select '${t}' as t, count(*), sum(xmin::text::bigint) from ${t}`)
  return JSON.stringify((await test.owner.query(parts.join(' union all '))).rows)
}
