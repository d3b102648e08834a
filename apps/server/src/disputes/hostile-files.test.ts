/** What nobody in good faith sends: each is refused with a code, nothing is kept, and the server goes on. */
import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DisputeFileAnswer } from '@kvitt/domain/disputes/dispute.contract.ts'
import { LARGEST_FILE } from '@kvitt/domain/disputes/dispute-file.ts'
import { BINDINGS } from '../api.ts'
import { pathsOf } from '../platform/serve.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { formWith, JPEG, makePng, PDF } from '../testing/sample-files.ts'
import { signIn } from '../testing/sign-in.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

let invoice: BuiltInvoice
let path: string
beforeEach(async () => {
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  path = await disputePath(invoice)
})

/** Where files of an invoice go, after it has been disputed. */
async function disputePath({ reference, zip }: BuiltInvoice): Promise<string> {
  const at = `/api/public/invoices/${reference}/${zip}/dispute`
  const body = { debtorEmail: 'alva@example.com', reason: 'Trasig vid leverans.' }
  expect((await server.call('POST', at, { body })).status).toBe(201)
  return `${at}/files`
}

const send = (form: FormData) => server.call('PUT', path, { body: form })
const codeOf = (answer: Answer) =>
  answer.status < 400 ? answer.status : (answer.json as { code: string }).code
const kept = async () =>
  (await server.test.owner.query('select count(*)::int as n from dispute_file')).rows[0].n

type Told = { status: number; code: string | undefined }

/** A body as it comes, byte by byte; with no length told when it is a stream of chunks. */
function sendRaw(
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

const MULTIPART = 'multipart/form-data; boundary=b'
const CRLF = '\r\n'
const part = (headers: string, content: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`--b${CRLF}${headers}${CRLF}${CRLF}`), Buffer.from(content), Buffer.from(CRLF)])
const filePart = (name: string, content: string | Buffer): Buffer =>
  part(`Content-Disposition: form-data; name="file"; filename="${name}"`, content)
const END = Buffer.from(`--b--${CRLF}`)
const all = (...parts: Buffer[]): Buffer => Buffer.concat(parts)

describe('a file that is not what may be sent', () => {
  const page = Buffer.from('<!doctype html><script>fetch("//evil.example")</script>')
  test.each<[string, Buffer, string, string]>([
    ['nothing at all', Buffer.alloc(0), 'empty.pdf', 'empty'],
    ['a page called PDF', page, 'kvitto.pdf', 'other'],
    ['a page with two endings', page, 'photo.html.jpg', 'other'],
    [
      'a drawing',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      'a.png',
      'other',
    ],
    ['a program', Buffer.from('MZ\u0090\0'), 'kvitto.pdf.exe', 'other'],
    ['an archive with a PDF in it', all(Buffer.from('PK\u0003\u0004'), PDF), 'kvitto.pdf', 'other'],
    ['a compressed PDF', gzipSync(PDF), 'kvitto.pdf', 'other'],
    ['a small PNG of 60,000 by 60,000', makePngHeader(60_000, 60_000), 'photo.png', 'pixels'],
    ['half a JPEG', JPEG.subarray(0, 60), 'photo.jpg', 'other'],
  ])('%s', async (_name, content, name, why) => {
    const before = await kept()
    const answer = await send(formWith(content, name))
    const params = { why: why === 'other' ? 'kind' : why }
    expect([answer.status, answer.json]).toEqual([
      400,
      expect.objectContaining({
        code: 'file_rejected',
        params,
        errors: [expect.objectContaining({ field: 'file' })],
      }),
    ])
    expect(await kept()).toBe(before)
  })

  test('says so in every language', async () => {
    const messages = new Set<string>()
    for (const language of ['sv', 'en', 'nb', 'da', 'fi']) {
      for (const content of [Buffer.alloc(0), Buffer.from('x'), makePngHeader(60_000, 60_000)]) {
        const headers = { 'accept-language': language }
        const answer = await server.call('PUT', path, { body: formWith(content), headers })
        messages.add((answer.json as { message: string }).message)
      }
    }
    expect(messages.size).toBe(15)
    for (const message of messages) expect(message).toMatch(/^[^{}]{20,}\.$/)
  })
})

/** A PNG that says to be so large; nothing behind its header. */
function makePngHeader(width: number, height: number): Buffer {
  const png = makePng()
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}

test('a file that is two things at once is one of ours, saved, and runs nothing', async () => {
  const both = all(JPEG, Buffer.from('<script>alert(1)</script>'), Buffer.from('PK\u0003\u0004'))
  const answer = await send(formWith(both, 'photo.html'))
  const file = answer.json as DisputeFileAnswer
  expect(file).toMatchObject({ mimeType: 'image/jpeg', fileNameRaw: 'photo-html.jpg' })
  const got = await fetch(`${server.origin}/api/storage/${file.fileName}`)
  expect([got.headers.get('content-type'), got.headers.get('x-content-type-options')]).toEqual([
    'image/jpeg',
    'nosniff',
  ])
  expect(got.headers.get('content-disposition')).toMatch(/^attachment; filename="photo-html\.jpg"/)
  expect(got.headers.get('content-security-policy')).toMatch(/^sandbox;/)
})

test.each([
  ['../../../etc/passwd', 'passwd.pdf'],
  ['..\\..\\boot.ini', 'boot-ini.pdf'],
  ['CON', '_CON.pdf'],
  ['aux.pdf', '_aux.pdf'],
  [`${'x'.repeat(1024)}.pdf`, `${'x'.repeat(60)}.pdf`],
  ['x'.repeat(1_000_000), `${'x'.repeat(60)}.pdf`],
  ['\u202efdp.exe', 'fdp-exe.pdf'],
  ['räkning å.pdf', 'räkning å.pdf'],
  ['請求書.pdf', '請求書.pdf'],
  ['.pdf', 'file.pdf'],
  ['a\0b.pdf', 'a b.pdf'],
])('a file called %j is kept as %j', async (sent, name) => {
  const answer = await sendRaw(all(filePart(sent, PDF), END), MULTIPART)
  expect(answer.status).toBe(201)
  const [file] = (await server.call('GET', path)).json as [DisputeFileAnswer]
  expect(file.fileNameRaw).toBe(name)
  const got = await fetch(`${server.origin}/api/storage/${file.fileName}`)
  expect(decodeURIComponent(got.headers.get('content-disposition')?.split("''")[1] ?? '')).toBe(name)
})

describe('a form that is broken', () => {
  const file = filePart('a.pdf', PDF)
  const field = (name: string, value = 'x'): Buffer =>
    part(`Content-Disposition: form-data; name="${name}"`, value)
  test.each<[string, Buffer, string]>([
    ['no boundary', all(file, END), 'multipart/form-data'],
    ['an empty boundary', all(file, END), 'multipart/form-data; boundary='],
    ['another boundary', all(file, END), 'multipart/form-data; boundary=c'],
    ['a boundary of a kilobyte', all(file, END), `multipart/form-data; boundary=${'b'.repeat(1024)}`],
    ['no body', Buffer.alloc(0), MULTIPART],
    ['no end', file, MULTIPART],
    ['an end in the middle', file.subarray(0, 90), MULTIPART],
    ['no file', all(field('description'), END), MULTIPART],
    ['a file as a field', all(field('file', PDF.toString('latin1')), END), MULTIPART],
    [
      'a file of another name',
      all(part('Content-Disposition: form-data; name="photo"; filename="a.pdf"', PDF), END),
      MULTIPART,
    ],
    ['two files', all(file, file, END), MULTIPART],
    [
      'a thousand parts',
      all(...Array.from({ length: 1000 }, (_, n) => field(`f${n}`)), file, END),
      MULTIPART,
    ],
    ['a thousand files', all(...Array.from({ length: 1000 }, () => file), END), MULTIPART],
    [
      'a thousand header lines',
      all(part(Array.from({ length: 1000 }, (_, n) => `X-${n}: 1`).join(CRLF), 'x'), END),
      MULTIPART,
    ],
    ['a field called __proto__', all(field('__proto__'), file, END), MULTIPART],
    ['a part without headers', all(Buffer.from(`--b${CRLF}${CRLF}x${CRLF}`), END), MULTIPART],
    ['noise', Buffer.alloc(100_000, 'b-\r\n'), MULTIPART],
  ])('%s', async (_name, body, type) => {
    const before = await kept()
    expect(await sendRaw(body, type)).toEqual({ status: 400, code: 'file_rejected' })
    expect(await kept()).toBe(before)
    expect(({} as { x?: unknown }).x).toBeUndefined()
    expect(codeOf(await send(formWith(PDF)))).toBe(201)
  })

  test.each<[string, Buffer]>([
    ['too long', field('description', 'x'.repeat(501))],
    ['twice', all(field('description'), field('description'))],
    [
      'no text',
      part('Content-Disposition: form-data; name="description"\r\nContent-Type: application/json', '{"a":1}'),
    ],
  ])('a description that is %s', async (_name, description) => {
    expect(await sendRaw(all(description, file, END), MULTIPART)).toEqual({
      status: 400,
      code: 'invalid_request',
    })
    expect(await sendRaw(all(file, description, END), MULTIPART)).toEqual({
      status: 400,
      code: 'invalid_request',
    })
  })

  test('other fields are nobody’s business', async () => {
    expect(
      (await sendRaw(all(field('name', '../x'), field('door', 'debtor'), file, END), MULTIPART)).status,
    ).toBe(201)
  })

  test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'image/png'])(
    '%s instead of a form',
    async (type) => {
      expect(await sendRaw(Buffer.from('{}'), type)).toEqual({ status: 415, code: 'unsupported_media_type' })
    },
  )
})

describe('too much', () => {
  const MEGABYTE = Buffer.alloc(1024 * 1024, 'x')
  const head = (content: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`--b${CRLF}Content-Disposition: form-data; name="file"; filename="a.pdf"${CRLF}${CRLF}`),
      content,
    ])
  function* megabytes(count: number, first = head(PDF)): Generator<Buffer> {
    yield first
    for (let n = 0; n < count; n++) yield MEGABYTE
    yield Buffer.from(`${CRLF}--b--${CRLF}`)
  }

  test('10 MB are taken, and one byte more is not', async () => {
    const largest = Buffer.alloc(LARGEST_FILE)
    PDF.copy(largest)
    expect(codeOf(await send(formWith(largest)))).toBe(201)
    const answer = await send(formWith(Buffer.concat([largest, Buffer.from('x')])))
    expect([answer.status, answer.json]).toEqual([
      400,
      expect.objectContaining({ code: 'file_too_large', params: { most: '10' } }),
    ])
    const [file] = (await server.call('GET', path)).json as [DisputeFileAnswer]
    const got = await fetch(`${server.origin}/api/storage/${file.fileName}`)
    expect(Buffer.from(await got.arrayBuffer()).equals(largest)).toBe(true)
  })

  test('100 MB, with and without a length, are refused at once and never read to their end', async () => {
    for (const headers of [{}, { 'content-length': String(100 * 1024 * 1024) }]) {
      let sent = 0
      function* counted(): Generator<Buffer> {
        for (const chunk of megabytes(100)) {
          sent += chunk.length
          yield chunk
        }
      }
      expect(await sendRaw(counted(), MULTIPART, headers)).toEqual({ status: 400, code: 'file_too_large' })
      expect(sent).toBeLessThan(60 * 1024 * 1024)
    }
    expect(codeOf(await send(formWith(PDF)))).toBe(201)
  })

  test('a form that begins and never comes to its file is cut off', async () => {
    await expect(sendRaw(megabytes(100, Buffer.from('preamble')), MULTIPART)).rejects.toThrow(
      /EPIPE|ECONNRESET|hang up/,
    )
    expect(codeOf(await send(formWith(PDF)))).toBe(201)
  })

  test('thirty of 5 MB at once do not fill the memory, on the way in and on the way out', async () => {
    const before = process.memoryUsage().rss
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 5)
    const paths = [path]
    while (paths.length < 3) {
      paths.push(await disputePath(await buildInvoice(server.test, server.instanceId, server.clock)))
    }
    const sent = await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        const content = Buffer.concat([PDF, Buffer.from(String(n))])
        return sendRaw(megabytes(5, head(content)), MULTIPART, {}, paths[n % 3])
      }),
    )
    expect(sent.map(({ status }) => status)).toEqual(Array(30).fill(201))
    const lists = await Promise.all(paths.map(async (at) => (await server.call('GET', at)).json))
    const files = lists.flat() as DisputeFileAnswer[]
    expect(files).toHaveLength(30)
    const sizes = await Promise.all(
      files.map(async ({ fileName }) => {
        const got = await fetch(`${server.origin}/api/storage/${fileName}`)
        let size = 0
        for await (const chunk of got.body ?? []) size += chunk.length
        return size
      }),
    )
    clearInterval(watch)
    expect(Math.min(...sizes)).toBeGreaterThan(5 * MEGABYTE.length)
    expect(most).toBeLessThan(200 * 1024 * 1024)
  }, 90_000)

  test('ten that never end are as many as one dispute gets, and others get theirs', async () => {
    let refused = 0
    const calls = Array.from({ length: 20 }, () => {
      const call = request(`${server.origin}${path}`, {
        method: 'PUT',
        headers: { 'content-type': MULTIPART },
      })
      call.on('error', () => undefined).on('response', () => refused++)
      call.write(head(PDF))
      return call
    })
    await expect.poll(() => refused, { timeout: 10_000 }).toBe(10)
    expect(codeOf(await send(formWith(PDF)))).toBe('too_many_files')
    const other = await buildInvoice(server.test, server.instanceId, server.clock)
    const answer = await server.call('PUT', await disputePath(other), { body: formWith(PDF) })
    expect(answer.status).toBe(201)
    for (const call of calls) call.destroy()
    await expect.poll(async () => codeOf(await send(formWith(PDF))), { timeout: 10_000 }).toBe(201)
  })

  test('whoever leaves in the middle leaves nothing behind', async () => {
    const before = await kept()
    for (let n = 0; n < 20; n++) {
      const call = request(`${server.origin}${path}`, {
        method: 'PUT',
        headers: { 'content-type': MULTIPART },
      })
      call.on('error', () => undefined)
      await new Promise<void>((resolve) => call.write(head(PDF), () => resolve()))
      // Some before the server has begun to read, some while it does.
      if (n % 2) await setTimeout(n)
      call.destroy()
    }
    await expect.poll(async () => codeOf(await send(formWith(PDF))), { timeout: 10_000 }).toBe(201)
    expect(await kept()).toBe(before + 1)
  })
})

describe('forms are for files alone', () => {
  const others = BINDINGS.flatMap(({ contract }) =>
    contract.method === 'GET' || contract.largestFile !== undefined
      ? []
      : contract.doors.flatMap((door) =>
          pathsOf(contract, door).map((address) => ({
            name: `${contract.method} ${address}`,
            contract,
            address,
          })),
        ),
  )
  test.each(others)('$name', async ({ contract, address }) => {
    const at = address
      .replace(':paymentReference', invoice.reference)
      .replace(':zip', invoice.zip)
      .replace(':id', invoice.id)
    const headers = await signIn(server.product.context, server.instanceId, [invoice.debtorId])
    const answer = await server.call(contract.method, at, { headers, body: formWith(PDF) })
    expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_media_type'])
  })
})
