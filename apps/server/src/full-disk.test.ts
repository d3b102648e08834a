/**
 * The disk of the database is full, the whole product in front of it. The tables lie on a small disk of memory of their own; the
 * write-ahead log does not, without which the database itself would stop.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from './testing/build.ts'
import { startTestServer, type Answer, type TestServer } from './testing/start-test-server.ts'

const NEEDS_A_DISK = 'needs root, and a system that lets it mount a disk of memory'
const SMALL_MB = 64
const LARGE_MB = 160
/** What fills a page by itself, so that the next one has to be laid on. */
const PAGEFUL = "repeat('x', 7000)"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

function mount(size: string, folder: string, how = 'size'): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `${how}=${size}`, 'tmpfs', folder], { stdio: 'pipe' })
}

/** A small disk that belongs to the database's account; undefined where none can be mounted. */
function openSmallDisk(owner: { readonly uid: number; readonly gid: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-disk-'))
  chmodSync(folder, 0o755)
  try {
    mount(`${SMALL_MB}m`, folder)
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  const space = join(folder, 'space')
  mkdirSync(space)
  for (const each of [folder, space]) chownSync(each, owner.uid, owner.gid)
  return {
    space,
    grow: (): void => mount(`${LARGE_MB}m`, folder, 'remount,size'),
    close: (): void => {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

const sql = async (text: string) => (await server.test.owner.query(text)).rows

/** All tables of the test's database, with their indexes. */
async function moveTables(from: string, to: string): Promise<void> {
  for (const kind of ['table', 'index'])
    await sql(`alter ${kind} all in tablespace ${from} set tablespace ${to}`)
}

/** Until not one more page can be had. */
async function fillUp(): Promise<void> {
  await sql(`create table filler (a text) tablespace small_disk`)
  await sql(`alter table filler alter column a set storage plain`)
  for (const rows of [1000, 100, 10, 1]) {
    const insert = `insert into filler select ${PAGEFUL} from generate_series(1, ${rows})`
    for (let isFull = false; !isFull; ) {
      isFull = await server.test.owner.query(insert).then(
        () => false,
        (error: { code?: string }) => error.code === '53100' || Promise.reject(error),
      )
    }
  }
}

const begin = (invoice: BuiltInvoice, n: number): Promise<Answer> =>
  server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`, {
    body: {
      paymentDate: '2026-11-20',
      amount: '842.00',
      serviceProviderCode: 'DIRECT_BANK',
      redirectUri: `${server.origin}/`,
    },
    headers: { 'idempotency-key': `full-disk-${n}` },
  })

test('T-DISK: the disk of the database is full: all is read, what cannot be kept is refused and can be asked again, and nothing that was acknowledged is lost', async ({
  skip,
}) => {
  const [{ folder }] = await sql(`select current_setting('data_directory') as folder`)
  const disk = process.getuid?.() === 0 ? openSmallDisk(statSync(folder as string)) : undefined
  skip(!disk, NEEDS_A_DISK)
  if (!disk) return
  const invoices: BuiltInvoice[] = []
  for (let n = 0; n < 40; n++) invoices.push(await buildInvoice(server.test, server.instanceId, server.clock))
  try {
    await sql(`create tablespace small_disk location '${disk.space}'`)
    await moveTables('pg_default', 'small_disk')
    await fillUp()

    const acknowledged = new Map<number, string>()
    const refused: number[] = []
    for (const [n, invoice] of invoices.entries()) {
      const answer = await begin(invoice, n)
      expect([201, 503], answer.text).toContain(answer.status)
      if (answer.status === 201) acknowledged.set(n, (answer.json as { id: string }).id)
      else {
        refused.push(n)
        expect(answer.headers.get('retry-after')).not.toBeNull()
        expect(answer.json).toMatchObject({ code: 'unavailable', retryable: true })
      }
      const read = await server.call('GET', `/api/public/invoices/${invoice.reference}/${invoice.zip}`)
      expect(read.status, read.text).toBe(200)
    }
    expect(refused.length).toBeGreaterThan(0)

    disk.grow()
    const began = performance.now()
    for (const n of refused) {
      const invoice = invoices[n] as BuiltInvoice
      let again = await begin(invoice, n)
      while (again.status === 503 && performance.now() - began < 30_000) {
        await sleep(200)
        again = await begin(invoice, n)
      }
      expect(again.status, again.text).toBe(201)
    }
    // The same key finds what was acknowledged, and each was begun once at the bank.
    for (const [n, id] of acknowledged) {
      const again = await begin(invoices[n] as BuiltInvoice, n)
      expect([again.status, (again.json as { id: string }).id]).toEqual([201, id])
    }
    const orders: { reference: string }[] = await server.control('GET', '/control/orders?all=true')
    for (const { reference } of invoices)
      expect(orders.filter((order) => order.reference === reference)).toHaveLength(1)
  } finally {
    disk.grow()
    await sql('drop table if exists filler')
    await moveTables('small_disk', 'pg_default')
    await sql('drop tablespace small_disk')
    disk.close()
  }
}, 120_000)
