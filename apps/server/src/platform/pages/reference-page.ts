/** The OpenAPI document as a page to read: plain HTML without a script, so that nothing is loaded from anywhere. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { JsonSchema } from '@kvitt/domain/schema.contract.ts'
import type { OpenApi, Operation, Response } from '../http/openapi.ts'
import { escapeHtml } from './debtor-portal.ts'

type Written = { readonly json: string; readonly body: string }

const written = new WeakMap<OpenApi, Written>()

function write(document: OpenApi): Written {
  const known = written.get(document) ?? { json: JSON.stringify(document), body: writeBody(document) }
  written.set(document, known)
  return known
}

/** Serves the document at `/api/openapi.json` and the page at `/api/docs`. */
export function serveReference(app: FastifyInstance, document: OpenApi): void {
  const { json, body } = write(document)
  app.get('/api/openapi.json', async (request, reply) => {
    if (!request.tenant) throw new Refusal('not_found')
    return reply.header('content-type', 'application/json; charset=utf-8').send(json)
  })
  app.get('/api/docs', async (request, reply) => {
    if (!request.tenant) throw new Refusal('not_found')
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      .send(`${head(document, nonce)}${body}`)
  })
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:0 auto;padding:1rem}
h2{margin-top:2.5rem;border-bottom:1px solid}
details{border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);padding:.5rem 0}
summary{cursor:pointer;overflow-wrap:anywhere}
summary b{display:inline-block;min-width:3.5rem}
code,summary{font-family:ui-monospace,monospace;font-size:.9rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.2rem 1rem .2rem 0;overflow-wrap:anywhere}
.wide{overflow-x:auto}`

function head({ info }: OpenApi, nonce: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(info.title)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style nonce="${nonce}">${STYLE}</style></head>`
}

function writeBody(document: OpenApi): string {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = [...new Set(all.flatMap(({ operation }) => operation.tags))]
  const sections = tags.map((tag) => {
    const calls = all.filter(({ operation }) => operation.tags.includes(tag))
    return `<section><h2>${escapeHtml(tag)}</h2>${calls.map(writeCall).join('')}</section>`
  })
  const { title, version, description } = document.info
  return `<body><main><h1>${escapeHtml(title)} ${escapeHtml(version)}</h1><p>${prose(description)}</p>
<p>For programs: <a href="openapi.json">openapi.json</a> (OpenAPI ${document.openapi}). Paths stand below
<code>/api</code>.</p>${sections.join('')}</main></body></html>`
}

/** Text in which only backquotes mean something. */
function prose(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '<br>')
}

type Call = { readonly path: string; readonly method: string; readonly operation: Operation }

function writeCall({ path, method, operation }: Call): string {
  const sent = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  const parameters = operation.parameters.map((p) => ({
    name: p.name,
    type: `${typeText(p.schema)} (${p.in})`,
    isRequired: p.required,
  }))
  const inputs = [...parameters, ...(sent ? fieldsOf(sent) : [])]
  return `<details id="${escapeHtml(operation.operationId)}"><summary><b>${method.toUpperCase()}</b> ${escapeHtml(path)}</summary>
<p>${escapeHtml(operation.summary)}.</p>${inputs.length > 0 ? `<h3>Goes in</h3>${writeFields(inputs)}` : ''}
${Object.entries(operation.responses).map(writeResponse).join('')}</details>`
}

function writeResponse([status, response]: [string, Response]): string {
  const schema = response.content?.['application/json']?.schema
  const headers = Object.keys(response.headers ?? {}).map((name) => `<code>${escapeHtml(name)}</code>`)
  const fields = schema ? fieldsOf(schema) : []
  return `<h3>${escapeHtml(status)}</h3><p>${prose(response.description)}${headers.length > 0 ? ` Headers: ${headers.join(', ')}.` : ''}</p>
${fields.length > 0 ? writeFields(fields) : ''}`
}

type Field = { readonly name: string; readonly type: string; readonly isRequired: boolean }

/** The leaves of a schema under their dotted names, as clients flatten them. */
function fieldsOf(schema: JsonSchema, name = '', isRequired = true): Field[] {
  if (schema.type === 'array' && schema.items) return fieldsOf(schema.items, `${name}[]`, isRequired)
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return name === '' ? [] : [{ name, type: typeText(schema), isRequired }]
  return properties.flatMap(([key, inner]) =>
    fieldsOf(inner, name === '' ? key : `${name}.${key}`, schema.required?.includes(key) ?? false),
  )
}

function typeText(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ')
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  return [schema.type ?? 'any', schema.format].filter(Boolean).join(' ')
}

function writeFields(fields: readonly Field[]): string {
  const rows = fields.map(
    ({ name, type, isRequired }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(type)}</td><td>${isRequired ? 'always' : 'optional'}</td></tr>`,
  )
  return `<div class="wide"><table><thead><tr><th>Field</th><th>Type</th><th></th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}
