/** What came in, checked against what a call wants. */
import type { z } from 'zod'
import { noBody, type Contract } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'

/** What the contract of a call refuses. */
export class InputRefusal extends Refusal {
  /** Whoever made the page did that: a field more or less, a choice that is not there. Not what a person types. */
  readonly isOfShape: boolean
  constructor(isOfShape: boolean, ...refused: ConstructorParameters<typeof Refusal>) {
    super(...refused)
    this.isOfShape = isOfShape
  }
}

/** Refused about a value that may be as somebody typed it. */
const OF_VALUE: ReadonlySet<string> = new Set([
  'too_small',
  'too_big',
  'invalid_format',
  'not_multiple_of',
  'custom',
])

/** Is that the doing of the page, and not of who fills it in? A text of which another kind is wanted may have been typed. */
function isOfShape({ code, path }: z.core.$ZodIssue, sent: unknown): boolean {
  if (OF_VALUE.has(code)) return false
  if (code !== 'invalid_type' && code !== 'invalid_union') return true
  let at = sent
  for (const name of path) at = (at as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name]
  return typeof at !== 'string'
}

/** A call that wants nothing is told nothing by a null; to one that wants an object it is a mistake. */
export function sentTo(contract: Contract, body: unknown): unknown {
  return contract.body === noBody ? (body ?? undefined) : body
}

/** The value as `schema` has it. Refuses with `invalid_request` and names the fields that are wrong. */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // A call that takes no body is not harmed by an empty one.
  const isEmpty =
    value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0
  const nothing = isEmpty ? schema.safeParse(undefined) : undefined
  if (nothing?.success) return nothing.data
  // Only bodies that say so are strict; everywhere else what nobody asked for is ignored (D-25).
  const unknown = result.error.issues.find((issue) => issue.code === 'unrecognized_keys')?.keys[0]
  if (unknown !== undefined) {
    const field = oneLine(unknown.slice(0, 60))
    throw new InputRefusal(true, 'unknown_field', { field }, [field])
  }
  const fields = result.error.issues.map((issue) => issue.path.join('.')).filter((f) => f !== '')
  const ofShape = result.error.issues.some((issue) => isOfShape(issue, value))
  throw new InputRefusal(ofShape, 'invalid_request', {}, [...new Set(fields)].slice(0, 20))
}

/** What no text of a database holds: U+0000, and half a letter. */
const BROKEN = /\p{Cs}|\0/u

/** Refuses `invalid_request` and names the field when a text within `value` cannot be kept as it was sent. */
export function refuseBroken(value: unknown, path = ''): void {
  if (typeof value === 'string' && BROKEN.test(value)) throw new Refusal('invalid_request', {}, [path])
  if (value === null || typeof value !== 'object') return
  for (const [name, inner] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`
    if (BROKEN.test(name)) throw new Refusal('invalid_request', {}, [path])
    refuseBroken(inner, at)
  }
}
