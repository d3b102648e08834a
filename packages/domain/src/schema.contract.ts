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

/** What a caller may send, or what it gets. Undefined when the part is always left out. */
export function describeSchema(part: z.ZodType, direction: 'input' | 'output'): JsonSchema | undefined {
  if (part instanceof z.ZodUndefined) return undefined
  const { $schema: _dialect, ...schema } = z.toJSONSchema(part, { io: direction, unrepresentable: 'any' })
  return schema as JsonSchema
}
