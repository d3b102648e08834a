/** Files for a dispute, for tests: sent as a browser sends them, or byte by byte. */
import { request } from 'node:http'
import { beforeAll, beforeEach, expect } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../build.ts'
import { startTestServer, type Answer, type TestServer } from '../start-test-server.ts'

export let server: TestServer
export let invoice: BuiltInvoice
/** Where files of its dispute go. */
export let path: string

/** For the top of a test file: each test has a disputed invoice of its own. */
export function useDisputes(): void {
  beforeAll(async () => {
    server = await startTestServer()
  })
  beforeEach(async () => {
    invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    path = await disputePath(invoice)
  })
}

/** Where files of an invoice go, after it has been disputed. */
export async function disputePath({ reference, zip }: BuiltInvoice): Promise<string> {
  const at = `/api/public/invoices/${reference}/${zip}/dispute`
  const body = { debtorEmail: 'alva@example.com', reason: 'Trasig vid leverans.' }
  expect((await server.call('POST', at, { body })).status).toBe(201)
  return `${at}/files`
}

export const send = (form: FormData) => server.call('PUT', path, { body: form })
export const codeOf = (answer: Answer) =>
  answer.status < 400 ? answer.status : (answer.json as { code: string }).code
export const kept = async () =>
  (await server.test.owner.query('select count(*)::int as n from dispute_file')).rows[0].n

type Told = { status: number; code: string | undefined }

/** A body as it comes, byte by byte; with no length told when it is a stream of chunks. */
export function sendRaw(
  body: Buffer | Iterable<Buffer>,
  type: string,
  headers: Record<string, string> = {},
  at = path,
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${server.origin}${at}`,
      { method: 'PUT', headers: { 'content-type': type, 'accept-language': 'en', ...headers } },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, code: (JSON.parse(text) as { code?: string }).code })
          call.destroy()
        })
      },
    )
    call.on('error', reject)
    if (Buffer.isBuffer(body)) {
      call.end(body)
      return
    }
    const chunks = body[Symbol.iterator]()
    const go = (): void => {
      for (;;) {
        const { done, value } = chunks.next()
        if (done) return void call.end()
        if (call.destroyed) return
        if (!call.write(value)) return void call.once('drain', go)
      }
    }
    go()
  })
}

export const MULTIPART = 'multipart/form-data; boundary=b'
export const CRLF = '\r\n'
export const part = (headers: string, content: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`--b${CRLF}${headers}${CRLF}${CRLF}`), Buffer.from(content), Buffer.from(CRLF)])
export const filePart = (name: string, content: string | Buffer): Buffer =>
  part(`Content-Disposition: form-data; name="file"; filename="${name}"`, content)
export const END = Buffer.from(`--b--${CRLF}`)
export const all = (...parts: Buffer[]): Buffer => Buffer.concat(parts)
