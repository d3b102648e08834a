/** What nobody in good faith sends: each is refused with a code, nothing is kept, and the server goes on. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { DisputeFileAnswer } from '@kvitt/domain/disputes/dispute.contract.ts'
import { BINDINGS } from '../api.ts'
import { pathsOf } from '../platform/http/serve.ts'
import { signInStaff } from '../testing/staff.ts'
import {
  all,
  codeOf,
  CRLF,
  END,
  filePart,
  invoice,
  kept,
  MULTIPART,
  part,
  path,
  send,
  sendRaw,
  server,
  useDisputes,
} from '../testing/debts/disputed.ts'
import { formWith, JPEG, makePng, PDF } from '../testing/files/sample-files.ts'
import { signIn } from '../testing/sign-in.ts'
import { askForBooksAtEnd } from '../testing/test-database.ts'

askForBooksAtEnd()

useDisputes()

describe('upload.svg, bomb.set: a file that is not what may be sent', () => {
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

describe('forms are for files alone', () => {
  const others = BINDINGS.flatMap(({ contract }) =>
    contract.method === 'GET' || contract.largestFile !== undefined
      ? []
      : contract.doors.flatMap((door) =>
          pathsOf(contract, door).map((address) => ({
            name: `${contract.method} ${address}`,
            contract,
            address,
            door,
          })),
        ),
  )
  test.each(others)('$name', async ({ contract, address, door }) => {
    const at = address
      .replace(':paymentReference', invoice.reference)
      .replace(':zip', invoice.zip)
      .replace(':id', invoice.id)
    const { context } = server.product
    const { instanceId } = server
    const headers =
      door === 'client' || door === 'admin'
        ? {
            ...(await (door === 'client'
              ? signInStaff(context, { ...invoice, role: 'manager' })
              : signInStaff(context, { instanceId, creditorId: null, role: 'manager' }))),
          }
        : await signIn(context, server.instanceId, [invoice.debtorId])
    const answer = await server.call(contract.method, at, { headers, body: formWith(PDF) })
    expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_media_type'])
  })
})
