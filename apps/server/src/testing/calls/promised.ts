/** The written reference as a judge: whether an answer is one that it promised. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import type { JsonSchema } from '@kvitt/domain/schema.contract.ts'
import type { OpenApi, Operation } from '../../platform/http/openapi.ts'
import type { Answer } from '../start-test-server.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
formats.default(ajv)

const validators = new Map<string, ValidateFunction>()

/** Compiled once for all calls that share it: anew for each answer it was most of what this file took. */
export function validatorOf(document: OpenApi, schema: JsonSchema): ValidateFunction {
  const key = JSON.stringify(schema)
  const known = validators.get(key)
  if (known) return known
  const made = ajv.compile({ ...schema, components: document.components })
  validators.set(key, made)
  return made
}

type Asked = { readonly operation: Operation; readonly name: string }

/** Throws unless the document promised this answer. */
export function expectPromised(document: OpenApi, { operation, name }: Asked, answer: Answer): void {
  const hint = `${name}: ${answer.status} ${answer.text.slice(0, 300)}`
  const response = operation.responses[String(answer.status)]
  expect(response, hint).toBeDefined()
  if (answer.status === 204) return
  const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? ''
  const content = response?.content ?? {}
  if (content['application/octet-stream']) return
  const schema = content[type]?.schema
  expect(schema, hint).toBeDefined()
  const validate = validatorOf(document, schema as JsonSchema)
  expect(validate(answer.json), `${hint} ${ajv.errorsText(validate.errors)}`).toBe(true)
  for (const [header, { description }] of Object.entries(response?.headers ?? {})) {
    if (!description?.startsWith('Only when')) expect(answer.headers.get(header)).not.toBeNull()
  }
  if (answer.status >= 400) {
    const problem = answer.json as { code: string; message: string }
    expect(problem.code).toMatch(/^\w+(::\w+)?$/)
    expect(problem.message).toMatch(/\p{L}{3}/u)
  }
}
