/** More than may be sent, at once and without end: it is refused early, and others get theirs. */
import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { DisputeFileAnswer } from '@kvitt/domain/disputes/dispute.contract.ts'
import { LARGEST_FILE } from '@kvitt/domain/disputes/dispute-file.ts'
import { buildInvoice } from '../testing/build.ts'
import {
  codeOf,
  CRLF,
  disputePath,
  kept,
  MULTIPART,
  path,
  send,
  sendRaw,
  server,
  useDisputes,
} from '../testing/debts/disputed.ts'
import { formWith, PDF } from '../testing/files/sample-files.ts'

useDisputes()

describe('bomb.set: too much', () => {
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
