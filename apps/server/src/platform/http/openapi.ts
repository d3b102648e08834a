/** The API described as OpenAPI 3.1. Everything in it comes from the contracts, so it cannot fall behind them. */
import { MOST_UNDO_SECONDS } from '@kvitt/domain/acts/act.ts'
import { waitingAct } from '@kvitt/domain/acts/act.contract.ts'
import { debtorQuery, type Contract, type Door } from '@kvitt/domain/contract.ts'
import { ERRORS, errorTextKey, type ErrorCode } from '@kvitt/domain/errors.ts'
import { describeSchema, type JsonSchema } from '@kvitt/domain/schema.contract.ts'
import { MANDATED } from '@kvitt/domain/staff/roles.ts'
import type { Binding } from './call.ts'
import { pathsOf } from './paths.ts'
import { textOf, type TextKey } from '../texts.ts'

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
}

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>

/** One that not every answer brings says when it comes. */
export type Header = { readonly schema: JsonSchema; readonly description?: string }

export type Response = {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Content
}

export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

export type OpenApi = {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const TEXT: JsonSchema = { type: 'string' }

const KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
}
const SOLUTION: Parameter = {
  name: 'Challenge-Solution',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 100 },
}
const UNDO: Parameter = {
  name: 'Undo-Seconds',
  in: 'header',
  required: false,
  schema: { type: 'integer', minimum: 0, maximum: MOST_UNDO_SECONDS },
}
const HIT: Header = { schema: { enum: ['true'] }, description: 'Only when the key has been answered before.' }

const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'RFC 9457. `code` never changes its meaning; `message` is for the reader, in their language.',
  properties: {
    type: TEXT,
    title: TEXT,
    status: { type: 'integer' },
    detail: TEXT,
    instance: TEXT,
    code: TEXT,
    message: TEXT,
    traceId: TEXT,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { field: TEXT, code: TEXT, message: TEXT },
        required: ['field', 'code', 'message'],
      },
    },
    retryable: { type: 'boolean' },
    params: { type: 'object', additionalProperties: TEXT },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'message', 'traceId', 'errors'],
}

/** What any call may answer, whatever it is about. */
const ALWAYS: readonly ErrorCode[] = ['not_found', 'internal_error', 'unavailable']
const AT_DOOR: Readonly<Record<Door, readonly ErrorCode[]>> = {
  open: [],
  public: ['login_error::invalid_data', 'login_throttled', 'eid_required'],
  debtor: ['not_signed_in'],
  client: ['not_signed_in', 'not_allowed'],
  admin: ['not_signed_in', 'not_allowed'],
}
const WITH_BODY: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type']

const STRICT: readonly ErrorCode[] = ['unknown_field']

/** Whether a part of the body says that it takes its own fields and no others (D-25). */
function isStrict({ body }: Contract): boolean {
  return JSON.stringify(describeSchema(body, 'input') ?? {}).includes('"additionalProperties":false')
}

/** Every refusal that a call may answer with behind a door. */
function refusalsOf(contract: Contract, door: Door): ErrorCode[] {
  const sent = contract.method === 'GET' ? [] : [...WITH_BODY, ...(isStrict(contract) ? STRICT : [])]
  const isMade = contract.answers === 'file' || contract.alsoFiles !== undefined
  const made: readonly ErrorCode[] = isMade ? ['files_busy'] : []
  const here: readonly ErrorCode[] = ['invalid_request', ...sent, ...ALWAYS, ...made]
  const wantsMandate = door === 'admin' && contract.right !== undefined && MANDATED.includes(contract.right)
  const mandate: readonly ErrorCode[] = wantsMandate ? ['mandate_missing'] : []
  return [...new Set([...contract.refusals, ...AT_DOOR[door], ...mandate, ...here])]
}

function problemResponses(codes: readonly ErrorCode[]): Record<string, Response> {
  const statuses = [...new Set(codes.map((code) => ERRORS[code]))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => ERRORS[code] === status)
      const schema = {
        allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: here } } }],
      }
      const description = here.map((code) => `\`${code}\`: ${englishText(code)}`).join('\n\n')
      return [String(status), { description, content: { 'application/problem+json': { schema } } }]
    }),
  )
}

/** What a text names in each case stands as an ellipsis. */
const ELLIPSES = new Proxy<Record<string, string | number>>(
  { unit: 'minutes', count: 15 },
  { get: (known, name) => known[String(name)] ?? '…' },
)

function englishText(code: ErrorCode): string {
  return textOf('en', errorTextKey(code) as TextKey, ELLIPSES)
}

/** `invoiceLedgerEvents` as "Invoice ledger events". */
function summaryOf(name: string): string {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function queryParameters(schema: Contract['query']): Parameter[] {
  const query = describeSchema(schema, 'input')
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query' as const,
    required: query?.required?.includes(name) ?? false,
    schema,
  }))
}

function parametersOf(contract: Contract, door: Door, path: string): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: TEXT,
  }))
  // Behind the debtor's door the query says which invoice is meant, unless the path does.
  const isNamed = door === 'debtor' && contract.subject !== undefined && !path.includes('{id}')
  return [
    ...inPath,
    ...queryParameters(contract.query),
    ...(isNamed ? queryParameters(debtorQuery) : []),
    ...(contract.takesKey ? [KEY] : []),
    ...(contract.takesUndo ? [UNDO] : []),
    ...(door === 'public' || contract.takesSolution ? [SOLUTION] : []),
  ]
}

function successOf(contract: Contract, parameters: readonly Parameter[]): Response {
  if (contract.answers === 'file') {
    return { description: 'A file.', content: { 'application/octet-stream': {} } }
  }
  if (contract.status === 204) return { description: 'It was done.' }
  const schema = describeSchema(contract.response, 'output') ?? {}
  const isPaged = schema.type === 'array' && parameters.some((p) => p.name === 'limit')
  return {
    description: contract.status === 201 ? 'It was made.' : 'The answer.',
    ...(isPaged ? { headers: { 'X-Total-Count': { schema: TEXT }, Link: { schema: TEXT } } } : {}),
    ...(contract.takesKey ? { headers: { 'Idempotency-Hit': HIT } } : {}),
    content: {
      'application/json': { schema },
      ...Object.fromEntries((contract.alsoFiles ?? []).map((type) => [type, {}])),
    },
  }
}

/** Of an act with `Undo-Seconds` above 0. */
const WAITS: Response = {
  description: 'It is done when those seconds are over, unless it is taken back.',
  content: { 'application/json': { schema: describeSchema(waitingAct, 'output') ?? {} } },
}

/** Of a change that another person decides. */
const proposes = ({ response }: Contract): Response => ({
  description: 'Nothing has changed: the proposal, which somebody else decides.',
  content: { 'application/json': { schema: describeSchema(response, 'output') ?? {} } },
})

/** What is sent: JSON, or a form with a file. */
function requestOf(contract: Contract): Operation['requestBody'] {
  const schema = contract.method === 'GET' ? undefined : describeSchema(contract.body, 'input')
  if (!schema) return undefined
  const type = contract.largestFile === undefined ? 'application/json' : 'multipart/form-data'
  return { required: !contract.body.safeParse(undefined).success, content: { [type]: { schema } } }
}

function operationOf(contract: Contract, door: Door, path: string): Operation {
  const parameters = parametersOf(contract, door, path)
  const requestBody = requestOf(contract)
  return {
    operationId: [
      contract.name,
      ...(door === 'open' ? [] : [door]),
      ...(path.includes('{id}') ? ['id'] : []),
    ].join('_'),
    summary: summaryOf(contract.name),
    tags: [contract.subject ? `${door}/${contract.subject}` : door],
    parameters,
    ...(requestBody ? { requestBody } : {}),
    responses: {
      [contract.status]: successOf(contract, parameters),
      ...(contract.takesUndo && contract.status !== 202 ? { 202: WAITS } : {}),
      ...(contract.mayPropose ? { 202: proposes(contract) } : {}),
      ...problemResponses(refusalsOf(contract, door)),
    },
    security: SECURITY[door],
  }
}

/** Files are opened by a name that another answer gave; that call has no contract of JSON. */
const STORAGE: Operation = {
  operationId: 'storage',
  summary: 'A stored file',
  tags: ['open'],
  parameters: [{ name: 'name', in: 'path', required: true, schema: TEXT }],
  responses: {
    200: { description: 'A file.', content: { 'application/octet-stream': {} } },
    ...problemResponses(ALWAYS),
  },
  security: [],
}

const SECURITY: Readonly<Record<Door, Operation['security']>> = {
  open: [],
  public: [],
  debtor: [{ debtorSession: [] }],
  client: [{ staff: [] }],
  admin: [{ staff: [] }],
}

const STAFF = `The token of a signed-in person's session, or a key of the creditor's programs.`

const SESSION = `The idToken of a completed order, together with the cookie that came with it. It lives for fifteen
minutes; an answer with the header X-Session-Token brings the next one.`

const INTRODUCTION = `Every call about a debtor's things exists twice: below \`public/\` with payment reference and
zip in the path, and below \`debtor/\` for a signed-in debtor. Amounts are numbers with two decimals, days are
\`YYYY-MM-DD\`, instants ISO 8601 in UTC. What the caller can mend is a 400 with a \`code\`.`

const documents = new WeakMap<readonly Binding[], OpenApi>()

/**
 * The whole document. Paths stand as they are called, below the API root. The same bindings are described once, however
 * often the product starts in this process.
 */
export function describeApi(bindings: readonly Binding[], version: string): OpenApi {
  const known = documents.get(bindings)
  if (known?.info.version === version) return known
  const document = describeAnew(bindings, version)
  documents.set(bindings, document)
  return document
}

function describeAnew(bindings: readonly Binding[], version: string): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { contract } of bindings) {
    for (const door of contract.doors) {
      for (const pattern of pathsOf(contract, door)) {
        const path = pattern.replace(/^\/api/, '').replace(/:(\w+)/g, '{$1}')
        paths[path] = { ...paths[path], [contract.method.toLowerCase()]: operationOf(contract, door, path) }
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Kvitt API', version, description: INTRODUCTION.replace(/\n/g, ' ') },
    servers: [{ url: '/api' }],
    paths: { ...paths, '/storage/{name}': { get: STORAGE } },
    components: {
      schemas: { Problem: PROBLEM },
      securitySchemes: {
        debtorSession: { type: 'http', scheme: 'bearer', description: SESSION.replace(/\n/g, ' ') },
        staff: { type: 'http', scheme: 'bearer', description: STAFF },
      },
    },
  }
}
