/** The parts of a call as JSON Schema, for the written reference of the API. */
import { z } from 'zod'

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1, as far as the reference reads it. */
export type JsonSchema = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly [keyword: string]: unknown
}

/** A part is described once: many calls share theirs, and nearly each stands behind two doors. */
const described = {
  input: new WeakMap<z.ZodType, JsonSchema>(),
  output: new WeakMap<z.ZodType, JsonSchema>(),
}

/** What a caller may send, or what it gets. Undefined when the part is always left out. */
export function describeSchema(part: z.ZodType, direction: 'input' | 'output'): JsonSchema | undefined {
  if (part instanceof z.ZodUndefined) return undefined
  const known = described[direction].get(part)
  if (known) return known
  const { $schema: _dialect, ...schema } = z.toJSONSchema(part, { io: direction, unrepresentable: 'any' })
  described[direction].set(part, schema as JsonSchema)
  return schema as JsonSchema
}
