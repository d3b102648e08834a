/** Files that come with a dispute: who may send and see them, what is kept once, and what a decision ends. */
import { readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DisputeFileAnswer } from '@kvitt/domain/disputes/dispute.contract.ts'
import { rejectClaimDispute, rejectDispute } from '../collection/collection.ts'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInstance, buildInvoice, TODAY } from '../testing/build.ts'
import { formWith, JPEG, makePng, PDF } from '../testing/files/sample-files.ts'
import { signIn } from '../testing/sign-in.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let otherHost: string
beforeAll(async () => {
  server = await startTestServer()
  otherHost = (await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })).host
  await buildInstanceAccount(server.test, server.instanceId)
})

/** An invoice or a claim, and its paths behind both doors. */
type Debt = {
  kind: 'invoice' | 'claim'
  id: string
  debtorId: string
  open: string
  own: string
  query: string
}

async function build(kind: Debt['kind'] = 'invoice'): Promise<Debt> {
  if (kind === 'invoice') {
    const { id, debtorId, reference, zip } = await buildInvoice(server.test, server.instanceId, server.clock)
    const open = `/api/public/invoices/${reference}/${zip}`
    return { kind, id, debtorId, open, own: '/api/debtor/invoices', query: `?paymentReference=${reference}` }
  }
  const { id, invoices, reference, zip } = await buildClaim(server.test, server.instanceId, server.clock)
  const open = `/api/public/collection-batches/${reference}/${zip}`
  const own = '/api/debtor/collection-batches'
  return {
    kind,
    id,
    debtorId: invoices[0]?.debtorId ?? '',
    open,
    own,
    query: `?paymentReference=${reference}`,
  }
}

async function disputed(kind: Debt['kind'] = 'invoice'): Promise<Debt> {
  const debt = await build(kind)
  const body = { debtorEmail: 'alva@example.com', reason: 'Trasig vid leverans.' }
  expect((await server.call('POST', `${debt.open}/dispute`, { body })).status).toBe(201)
  return debt
}

const send = (debt: Debt, form: FormData) => server.call('PUT', `${debt.open}/dispute/files`, { body: form })
const list = async (debt: Debt) =>
  (await server.call('GET', `${debt.open}/dispute/files`)).json as DisputeFileAnswer[]
const session = (debtorId: string) => signIn(server.product.context, server.instanceId, [debtorId])
const codeOf = (answer: Answer) =>
  answer.status < 400 ? answer.status : (answer.json as { code: string }).code
const decide = (debt: Debt) => {
  const decision = { on: TODAY, answer: 'Fakturan gäller.' }
  const { context } = server.product
  const { instanceId } = server
  return debt.kind === 'invoice'
    ? rejectDispute(context, { instanceId, invoiceId: debt.id }, decision)
    : rejectClaimDispute(context, { instanceId, claimId: debt.id }, decision)
}
const open = (name: string) => fetch(`${server.origin}/api/storage/${name}`)
async function rowsOf(debt: Debt) {
  const { rows } = await server.test.owner.query<{ name: string; bytes: number }>(
    `select x.name, length(f.content) as bytes from dispute d join dispute_file x on x.dispute_id = d.id
     join file f on f.id = x.id where d.debt_id = $1 order by x.id`,
    [debt.id],
  )
  return rows
}

describe.each(['invoice', 'claim'] as const)('a file of a disputed %s', (kind) => {
  test('is kept, listed, and handed out to be saved', async () => {
    const debt = await disputed(kind)
    const picture = makePng({ weight: 700_000 })
    const answer = await send(debt, formWith(picture, 'Trasig låda.PNG', { description: ' Hörnet\u202e\n ' }))
    expect(answer.status).toBe(201)
    const file = answer.json as DisputeFileAnswer
    expect(file).toEqual({
      id: expect.any(String),
      type: 'DISPUTE_FILE',
      topic: 'CONNECTED_FILE',
      fileName: expect.stringMatching(/^f[\w-]+\.png$/),
      fileNameRaw: 'Trasig låda.png',
      mimeType: 'image/png',
      size: picture.length,
      description: 'Hörnet',
      date: TODAY,
    })
    expect((await list(debt)).map(({ id }) => id)).toEqual([file.id])
    const got = await open(file.fileName)
    expect(Buffer.from(await got.arrayBuffer()).equals(picture)).toBe(true)
    expect(Object.fromEntries(got.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(picture.length),
      'content-disposition': `attachment; filename="Trasig lada.png"; filename*=UTF-8''Trasig%20l%C3%A5da.png`,
      'content-security-policy': expect.stringContaining("sandbox; default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    expect((await fetch(`${server.origin}/api/storage/${file.fileName}`, { method: 'HEAD' })).status).toBe(
      200,
    )
  })

  test('comes through the debtor’s door, too', async () => {
    const debt = await disputed(kind)
    const headers = await session(debt.debtorId)
    const path = `${debt.own}/dispute/files${debt.query}`
    const answer = await server.call('PUT', path, { headers, body: formWith(PDF, 'kvitto.pdf') })
    expect([answer.status, answer.json]).toEqual([
      201,
      expect.objectContaining({ fileNameRaw: 'kvitto.pdf' }),
    ])
    expect((await server.call('GET', path, { headers })).json).toEqual([answer.json])
  })

  test('is taken only while the dispute is open', async () => {
    const debt = await build(kind)
    const both = async () => [
      codeOf(await send(debt, formWith(JPEG))),
      codeOf(await server.call('GET', `${debt.open}/dispute/files`)),
    ]
    expect(await both()).toEqual(['dispute_not_open', 'dispute_not_open'])
    const body = { debtorEmail: 'alva@example.com', reason: 'Fel.' }
    await server.call('POST', `${debt.open}/dispute`, { body })
    expect(await both()).toEqual([201, 200])
    await decide(debt)
    expect(await both()).toEqual(['dispute_not_open', 'dispute_not_open'])
    expect(await rowsOf(debt)).toHaveLength(1)
  })

  test('that was on its way when the dispute was decided is not kept', async () => {
    const debt = await disputed(kind)
    const bytes = new Uint8Array(await new Response(formWith(makePng({ weight: 300_000 }))).arrayBuffer())
    const boundary = new TextDecoder().decode(bytes.slice(2, bytes.indexOf(13)))
    const halves = new TransformStream<Uint8Array, Uint8Array>()
    const answer = fetch(`${server.origin}${debt.open}/dispute/files`, {
      method: 'PUT',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: halves.readable,
      duplex: 'half',
    })
    const writer = halves.writable.getWriter()
    await writer.write(bytes.slice(0, 200_000))
    await decide(debt)
    await writer.write(bytes.slice(200_000))
    await writer.close()
    expect(await (await answer).json()).toMatchObject({ code: 'dispute_not_open' })
    expect(await rowsOf(debt)).toEqual([])
  })

  test('and a decision at the same moment: it is kept, or it is refused', async () => {
    for (let round = 0; round < 8; round++) {
      const debt = await disputed(kind)
      const [answer] = await Promise.all([
        send(debt, formWith(makePng({ weight: round % 2 ? 2_000_000 : 0 }))),
        setTimeout(round * 4).then(async () => decide(debt)),
      ])
      expect([201, 'dispute_not_open']).toContain(codeOf(answer))
      expect(await rowsOf(debt)).toHaveLength(answer.status === 201 ? 1 : 0)
    }
  })
})

describe('once', () => {
  test('the same content is one file, whatever it is called and however often it comes', async () => {
    const debt = await disputed()
    const first = await send(debt, formWith(PDF, 'kvitto.pdf', { description: 'Betald' }))
    const again = await Promise.all(
      Array.from({ length: 9 }, (_, n) => send(debt, formWith(PDF, `${n}.pdf`, { description: 'Igen' }))),
    )
    const { fileName: _name, ...kept } = first.json as DisputeFileAnswer
    for (const answer of again) {
      expect([answer.status, answer.json]).toEqual([201, expect.objectContaining(kept)])
    }
    expect(await rowsOf(debt)).toEqual([{ name: 'kvitto.pdf', bytes: PDF.length }])
  })

  test('ten files and no more, also at once; what is kept stays known', async () => {
    const debt = await disputed()
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, n) => send(debt, formWith(makePng({ mark: String(n) }), `${n}.png`))),
    )
    expect(answers.map(codeOf).filter((code) => code === 201)).toHaveLength(10)
    const refused = answers.filter((answer) => answer.status !== 201)
    expect(refused.map(codeOf)).toEqual(Array(4).fill('too_many_files'))
    expect((refused[0]?.json as { message: string } | undefined)?.message).toContain('10')
    expect(await rowsOf(debt)).toHaveLength(10)
    const known = answers.findIndex((answer) => answer.status === 201)
    expect(codeOf(await send(debt, formWith(makePng({ mark: String(known) }))))).toBe(201)
    expect(await rowsOf(debt)).toHaveLength(10)
  })

  test('a file of another dispute is another file', async () => {
    const [one, other] = [await disputed(), await disputed()]
    const [a, b] = [await send(one, formWith(PDF)), await send(other, formWith(PDF))]
    expect((a.json as DisputeFileAnswer).id).not.toBe((b.json as DisputeFileAnswer).id)
  })
})

describe('who sees it', () => {
  test('a public session does not see what came with an electronic ID, and is not told of it', async () => {
    const debt = await disputed()
    const headers = await session(debt.debtorId)
    const path = `${debt.own}/dispute/files${debt.query}`
    const mine = await server.call('PUT', path, { headers, body: formWith(PDF, 'lönebesked.pdf') })
    const same = await send(debt, formWith(PDF, 'kvitto.pdf'))
    expect(same.json).toMatchObject({ fileNameRaw: 'kvitto.pdf' })
    expect((await list(debt)).map((file) => file.fileNameRaw)).toEqual(['kvitto.pdf'])
    const all = (await server.call('GET', path, { headers })).json as DisputeFileAnswer[]
    expect(all.map((file) => file.fileNameRaw)).toEqual(['lönebesked.pdf', 'kvitto.pdf'])
    const documents = async (at: string, options = {}) =>
      ((await server.call('GET', at, options)).json as DisputeFileAnswer[]).map((d) => d.fileNameRaw)
    expect(await documents(`${debt.open}/documents`)).not.toContain('lönebesked.pdf')
    expect(await documents(`${debt.own}/documents${debt.query}`, { headers })).toContain('lönebesked.pdf')
    expect(mine.status).toBe(201)
  })

  test.each(['invoice', 'claim'] as const)(
    'idor.storage: nobody else gets to a file of an %s',
    async (kind) => {
      const [debt, other] = [await disputed(kind), await disputed(kind)]
      const file = (await send(debt, formWith(JPEG, 'foto.jpg'))).json as DisputeFileAnswer
      const headers = await session(other.debtorId)
      const foreign = `${debt.own}/dispute/files${debt.query}`
      expect(codeOf(await server.call('GET', foreign, { headers }))).toBe('not_found')
      expect(codeOf(await server.call('PUT', foreign, { headers, body: formWith(PDF) }))).toBe('not_found')
      expect(codeOf(await server.call('GET', foreign))).toBe('not_signed_in')
      const wrong = debt.open.replace(/[^/]+$/, '99999')
      expect(codeOf(await server.call('GET', `${wrong}/dispute/files`))).toBe('login_error::invalid_data')
      expect(codeOf(await server.call('PUT', `${wrong}/dispute/files`, { body: formWith(PDF) }))).toBe(
        'login_error::invalid_data',
      )
      expect(await list(other)).toEqual([])
      expect(await rowsOf(debt)).toHaveLength(1)
      const at = file.fileName.length - 8
      const letter = file.fileName[at] === 'A' ? 'B' : 'A'
      for (const name of [
        `${file.fileName.slice(0, at)}${letter}${file.fileName.slice(at + 1)}`,
        file.fileName.replace(/^f/, 'd'),
        file.fileNameRaw,
        file.id,
      ]) {
        expect((await open(name)).status, name).toBe(404)
      }
    },
  )

  test('its name opens it on its own host, for two hours', async () => {
    const debt = await disputed()
    const { fileName } = (await send(debt, formWith(JPEG))).json as DisputeFileAnswer
    const headers = { host: otherHost }
    const there = await server.product.app.inject({ url: `/api/storage/${fileName}`, headers })
    expect(there.json()).toMatchObject({ code: 'not_found' })
    const { clock } = server
    const now = clock.now
    try {
      Object.assign(clock, { now: () => now() + 2 * 60 * 60 * 1000 + 2000 })
      expect((await open(fileName)).status).toBe(404)
    } finally {
      Object.assign(clock, { now })
    }
    expect((await open(fileName)).status).toBe(200)
  })

  test('the invoice’s documents have it last, and the invoice’s own copy stays what it was', async () => {
    const debt = await disputed()
    const before = (await server.call('GET', `${debt.open}/documents`)).json as { type: string }[]
    await send(debt, formWith(JPEG, 'foto.jpg'))
    const after = (await server.call('GET', `${debt.open}/documents`)).json as Record<string, string>[]
    expect(after.map(({ type, topic }) => [type, topic])).toEqual([
      ['INVOICE_WITH_ATTACHMENTS', 'INVOICE'],
      ['DISPUTE_FILE', 'CONNECTED_FILE'],
    ])
    expect(before).toHaveLength(1)
    await decide(debt)
    const later = (await server.call('GET', `${debt.open}/documents`)).json as Record<string, string>[]
    expect(later.map(({ fileNameRaw }) => fileNameRaw)).toContain('foto.jpg')
    expect((await open(later.at(-1)?.fileName ?? '')).status).toBe(200)
  })
})

test('nothing of a form stays on the disk', () => {
  expect(
    readdirSync(server.product.context.config.dataDir).filter((name) => name.startsWith('form-')),
  ).toEqual([])
})
