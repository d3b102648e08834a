import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, beforeAll, describe, expect, test } from 'vitest'
import { closeAfterwards } from '../../testing/close-afterwards.ts'
import { noMoto, startMoto } from '../../testing/store/moto.ts'
import { checkStores } from './check-stores.ts'
import { openBucket } from './s3-store.ts'
import { openStore } from './open-store.ts'
import { StoreUnavailable, type BucketConfig, type Store } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-store-'))
closeAfterwards(() => rmSync(folder, { recursive: true, force: true }))
let bucket: BucketConfig
if (noMoto === undefined)
  beforeAll(async () => {
    bucket = await startMoto()
  }, 60_000)

const bytes = (text: string): Buffer => Buffer.from(text)
const text = async (store: Store, name: string): Promise<string | undefined> =>
  (await store.get(name))?.bytes.toString()
const names = async (store: Store, under: string): Promise<string[]> =>
  (await store.list(under)).map(({ name }) => name)

const KINDS: [string, () => Store, string | undefined][] = [
  ['a folder', () => openStore({ folder: join(folder, 'files') }), undefined],
  // A page of ten, where the interface has a thousand.
  ['a bucket', () => openBucket(bucket, 'files', 10), noMoto],
]

describe.each(KINDS)('%s', (_, open, why) => {
  // Printed with its reason where it cannot run.
  beforeEach(({ skip }) => skip(why !== undefined, why))

  test('a name is written once: the same again is a yes, other bytes a no that changes nothing', async () => {
    const store = open()
    expect(await store.put('once/a.txt', bytes('one'))).toBe(true)
    expect(await store.put('once/a.txt', bytes('one'))).toBe(true)
    expect(await store.put('once/a.txt', bytes('two'))).toBe(false)
    expect(await text(store, 'once/a.txt')).toBe('one')
    expect((await store.get('once/a.txt'))?.writtenAtMs).toBeGreaterThan(Date.now() - 60_000)
    expect([await store.has('once/a.txt'), await store.has('once/b.txt')]).toEqual([true, false])
    expect(await store.get('once/b.txt')).toBeUndefined()
  })

  test('of twins one writes', async () => {
    const store = open()
    const written = await Promise.all(
      Array.from({ length: 8 }, (__, n) => store.put('twins/a', bytes(String(n)))),
    )
    expect(written.filter(Boolean)).toHaveLength(1)
  })

  test('a list has what lies directly under a name, also above a page, and nothing of another kind', async () => {
    const store = open()
    const many = Array.from({ length: 35 }, (__, n) => `${String(n).padStart(4, '0')}.json`)
    await Promise.all(many.map((name) => store.put(`many/${name}`, bytes(name))))
    await store.put('many/deeper/x.json', bytes('x'))
    expect(await names(store, 'many')).toEqual(many)
    expect(await names(store, 'man')).toEqual([])
    expect(await names(store, 'many/deeper')).toEqual(['x.json'])
  })

  test('moved, it is at its new name alone; what is not there is nothing to move or remove', async () => {
    const store = open()
    await store.put('.from/a', bytes('a'))
    await store.move('.from/a', 'to-a')
    await store.move('.from/a', 'to-a')
    expect([await text(store, 'to-a'), await store.has('.from/a')]).toEqual(['a', false])
    await store.remove('to-a')
    await store.remove('to-a')
    expect(await store.has('to-a')).toBe(false)
  })

  test('bytes of any kind come back as they were', async () => {
    const store = open()
    const all = Buffer.from(Array.from({ length: 300_000 }, (__, n) => (n * 7) % 256))
    await store.put('all.pdf', all)
    expect((await store.get('all.pdf'))?.bytes.equals(all)).toBe(true)
  })
})

const failure = (work: Promise<unknown>): Promise<StoreUnavailable> =>
  work.then(
    () => {
      throw new Error('it was done')
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(StoreUnavailable)
      return error as StoreUnavailable
    },
  )

test('a folder that cannot be written is said with its code', async () => {
  writeFileSync(join(folder, 'a-file'), '')
  expect(await failure(openStore({ folder: join(folder, 'a-file/sub') }).put('x', bytes('x')))).toMatchObject(
    {
      code: 'ENOTDIR',
      isRefused: false,
    },
  )
  mkdirSync(join(folder, 'empty'))
  expect(await openStore({ folder: join(folder, 'nowhere') }).list('')).toEqual([])
})

test('a bucket that does not answer is said with its host, and nothing of its key', async () => {
  const nobody = {
    endpoint: 'http://127.0.0.1:9',
    region: 'x',
    bucket: 'b',
    accessKey: 'k',
    secretKey: 'geheim',
  }
  const store = openStore({ bucket: { ...nobody, isPathStyle: true }, prefix: 'p' })
  const { message, isRefused } = await failure(store.put('x', bytes('x')))
  expect(message).toMatch(/^127\.0\.0\.1:9 does not answer \(.+\)\.$/)
  expect(isRefused).toBe(false)
})

test('a wrong key is one sentence that names the settings, and a store that keeps other bytes is found out', async () => {
  let answer: (method: string) => { status: number; body: string } = () => ({
    status: 403,
    body: '<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code><Message>secret stuff</Message></Error>',
  })
  const server = createHttpServer((request, response) => {
    const { status, body } = answer(request.method ?? '')
    request.resume().on('end', () => response.writeHead(status).end(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closeAfterwards(() => void server.close())
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = {
    endpoint,
    region: 'x',
    bucket: 'b-1',
    accessKey: 'k',
    secretKey: 'geheim',
    isPathStyle: true,
  }
  const store = openBucket(config, 'p')
  const why = `The bucket b-1 at ${endpoint} answers 403 SignatureDoesNotMatch: see STORE_ACCESS_KEY, STORE_SECRET_KEY and STORE_REGION.`
  expect(await failure(store.put('x', bytes('x')))).toMatchObject({ message: why, isRefused: true })
  await expect(
    checkStores(
      { letters: undefined, anchors: { bucket: config, prefix: 'a' }, journal: { folder } },
      'https://a.example',
      () => {},
    ),
  ).rejects.toThrow(why)
  answer = (method) => ({ status: 200, body: method === 'GET' ? 'other' : '' })
  expect(await failure(store.put('x', bytes('x')))).toMatchObject({ code: 'checksum' })
  answer = () => ({ status: 503, body: '<Error><Code>SlowDown</Code></Error>' })
  expect(await failure(store.get('x'))).toMatchObject({ code: 'SlowDown', isRefused: false })
})

describe('a bucket that holds us up', () => {
  const configOf = (port: number): BucketConfig => ({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'x',
    bucket: 'b',
    accessKey: 'k',
    secretKey: 's',
    isPathStyle: true,
  })
  /** Takes calls, says `begin` and no more. */
  async function silent(begin: string): Promise<{ store: Store; lines: Set<Socket> }> {
    const lines = new Set<Socket>()
    const server = createServer((line) => {
      lines.add(line)
      line.on('error', () => {}).on('close', () => lines.delete(line))
      line.once('data', () => void line.write(begin))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    closeAfterwards(() => void server.close())
    return { store: openBucket(configOf((server.address() as AddressInfo).port), 'p', 10, 500), lines }
  }

  test.each([
    ['before the answer', ''],
    ['in its body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
  ])('each call ends in its time, also after the garbage was collected: %s', async (_, begin) => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const { store, lines } = await silent(begin)
    const timer = setInterval(collect, 50)
    const began = Date.now()
    const calls = [store.put('a', bytes('a')), store.get('a'), store.list(''), store.remove('a')]
    const ended = await Promise.all(calls.map(failure))
    clearInterval(timer)
    expect(ended.map(({ code }) => code)).toEqual(calls.map(() => 'timeout'))
    expect(Date.now() - began).toBeLessThan(3_000)
    await expect.poll(() => lines.size, { message: 'no line stays open' }).toBe(0)
  })

  /** Answers by method, and counts what was removed. */
  async function answering(answer: (method: string, path: string) => [number, string]) {
    const removed: string[] = []
    const server = createHttpServer((request, response) => {
      const { method = '', url = '' } = request
      if (method === 'DELETE') removed.push(url)
      const [status, body] = answer(method, url)
      request.resume().on('end', () => response.writeHead(status).end(body))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    closeAfterwards(() => void server.close())
    return { store: openBucket(configOf((server.address() as AddressInfo).port), 'p'), removed }
  }

  test('a file whose new name is taken by another is not moved, and stays', async () => {
    const { store, removed } = await answering((method, path) =>
      method === 'PUT'
        ? [412, '<Error><Code>PreconditionFailed</Code></Error>']
        : [200, path.endsWith('/from') ? 'ours' : 'theirs'],
    )
    expect(await failure(store.move('from', 'to'))).toMatchObject({ code: 'taken' })
    expect(removed).toEqual([])
  })

  test('a conflict where no file is afterwards is no answer: nobody knows, and the next try tells', async () => {
    const { store, removed } = await answering((method, path) => {
      if (method === 'PUT') return [409, '<Error><Code>ConditionalRequestConflict</Code></Error>']
      return path.endsWith('/from') ? [200, 'ours'] : [404, '<Error><Code>NoSuchKey</Code></Error>']
    })
    expect(await failure(store.put('to', bytes('ours')))).toMatchObject({ code: 'conflict' })
    expect(await failure(store.put('to', bytes('')))).toMatchObject({ code: 'conflict' })
    expect(await failure(store.move('from', 'to'))).toMatchObject({ code: 'conflict' })
    expect(removed).toEqual([])
  })
})

/** A line to the bucket that is cut after so many bytes of what we send. */
async function cutAfter(limit: number): Promise<number> {
  const { port: to } = new URL(bucket.endpoint)
  const line = createServer((ours) => {
    const theirs = connect(Number(to), '127.0.0.1')
    let sent = 0
    for (const end of [ours, theirs]) end.on('error', () => {})
    ours.on('data', (part) => {
      const rest = part.subarray(0, Math.max(0, limit - sent))
      sent += rest.length
      theirs.write(rest)
      if (sent >= limit) for (const end of [ours, theirs]) end.destroy()
    })
    theirs.pipe(ours)
  })
  await new Promise<void>((done) => line.listen(0, '127.0.0.1', done))
  closeAfterwards(() => void line.close())
  return (line.address() as AddressInfo).port
}

describe('a bucket that goes wrong', () => {
  beforeEach(({ skip }) => skip(noMoto !== undefined, noMoto))

  test('a bucket that is not there is one sentence that names the setting', async () => {
    const store = openStore({ bucket: { ...bucket, bucket: 'another' }, prefix: 'p' })
    for (const work of [() => store.put('x', bytes('x')), () => store.list('')])
      expect(await failure(work())).toMatchObject({
        message: `${bucket.endpoint} has no bucket another: see STORE_BUCKET.`,
        isRefused: true,
      })
  })

  test('a start with a wrong bucket or key ends with that sentence', async () => {
    const said: string[] = []
    const start = (change: Partial<BucketConfig>, owner = 'https://a.example') => {
      const place = { bucket: { ...bucket, ...change }, prefix: 'print-queue' }
      const folderOf = { folder: join(folder, 'files') }
      return checkStores(
        { letters: place, anchors: folderOf, journal: folderOf },
        owner,
        (line) => void said.push(line),
      )
    }
    await expect(start({ bucket: 'another' })).rejects.toThrow(
      /^http.* has no bucket another: see STORE_BUCKET\.$/,
    )
    await Promise.all([start({}), start({})])
    await start({})
    expect(said).toEqual([])
    await expect(start({}, 'https://b.example'), 'another installation has it').rejects.toThrow(
      /^The bucket kvitt-files is of the installation at https:\/\/a\.example, and this one is at https:\/\/b\.example: /,
    )
    await start({ endpoint: 'http://127.0.0.1:9' })
    expect(said).toEqual([
      expect.stringMatching(/^127\.0\.0\.1:9 does not answer .* letters and the journal of payments wait\.$/),
    ])
  })

  test('half an upload is no file, and the next try writes it', async () => {
    const port = await cutAfter(60_000)
    const cut = openStore({ bucket: { ...bucket, endpoint: `http://127.0.0.1:${port}` }, prefix: 'half' })
    const letter = Buffer.alloc(200_000, 'x')
    expect(await failure(cut.put('a.pdf', letter))).toMatchObject({ isRefused: false })
    const whole = openStore({ bucket, prefix: 'half' })
    expect(await whole.has('a.pdf')).toBe(false)
    expect(await whole.put('a.pdf', letter)).toBe(true)
    expect((await whole.get('a.pdf'))?.bytes.equals(letter)).toBe(true)
  })
})
