/**
 * The release before and this one on one database, each request at another of them: `npm run two-releases`. Prints its figures; what
 * a person would notice fails.
 */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { INVARIANTS } from '../../apps/server/src/testing/test-database.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { ALVA, arriveAtBank, choosePayNow, MAJ, payNowButton } from '../testing/debtor.ts'
import { openHosts, type Host } from './hosts.ts'
import { LOADS, signInAt } from './mixed-pages.ts'
import { beginLoad } from './rolling-load.ts'

const hosts = await openHosts()
const browser = await runBrowser()
const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Fewer on a machine that has other things to do. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 3)
const PAYMENTS = Number(process.env['PAYMENTS'] ?? 400)
const DEPLOYS = Number(process.env['DEPLOYS'] ?? 2)

let older: Host
let newer: Host
beforeAll(async () => {
  older = await hosts.start('older')
  const applied = await hosts.migrateToNewer()
  newer = await hosts.start('newer')
  say(`Migrations of the newer release while the older one served: ${applied}`)
})

/** Files of either build that a host of the other was asked for. */
async function countFiles(page: Page, counted: Set<string>): Promise<void> {
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.includes('/assets/')) counted.add(pathname)
  })
}

test(`pages of five portals, every request at another release: ${LOADS.length * ROUNDS} loads`, async () => {
  const files = new Set<string>()
  const offices = {
    client: await browser.open({ viewport: DESK }),
    admin: await browser.open({ viewport: DESK }),
  }
  for (const staff of ['client', 'admin'] as const) await signInAt(offices[staff], hosts, staff)
  const broken: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, staff, go } of LOADS) {
      const page = staff ? offices[staff] : await browser.open({ viewport: DESK })
      await countFiles(page, files)
      await go(page, hosts).catch((error: Error) =>
        broken.push(`${name}: ${error.message.split('\n', 1)[0]}`),
      )
      if (!staff) await page.context().close()
    }
  }
  say(
    `Pages: ${LOADS.length * ROUNDS - broken.length} of ${LOADS.length * ROUNDS} loads whole, ${files.size} files of both builds`,
  )
  say(
    `Requests: ${[older, newer].map(({ release, port }) => `${release} ${hosts.front.answered.get(port)}`).join(', ')}`,
  )
  expect(broken).toEqual([])
})

/** How long what stands in front may take to see who is ready. */
const LOOKED = { timeout: 30_000 }

/** Only the host of that release is handed requests. */
async function only(host: Host, act: () => Promise<void>): Promise<void> {
  const others = [...hosts.front.hosts].filter((port) => port !== host.port)
  for (const port of others) hosts.front.hosts.delete(port)
  try {
    await expect.poll(() => [...hosts.front.ready], LOOKED).toEqual([host.port])
    await act()
  } finally {
    for (const port of others) hosts.front.hosts.add(port)
  }
  await expect.poll(() => hosts.front.ready.size, LOOKED).toBe(others.length + 1)
}

test.each([
  ['the older', 'the newer', ALVA],
  ['the newer', 'the older', MAJ],
])('a payment that is begun at %s release and signed at %s', async (first, _second, debt) => {
  const [begins, ends] = first === 'the older' ? [older, newer] : [newer, older]
  const page = await browser.open({ viewport: DESK })
  await only(begins, async () => {
    await page.goto(`${hosts.address}/#/en/invoice/${debt.reference}/${debt.zip}`)
    await choosePayNow(page)
    await payNowButton(page).click()
    await arriveAtBank(page)
  })
  await only(ends, async () => {
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('The invoice is closed.').waitFor()
  })
  expect(await page.getByText('The invoice is closed.').isVisible()).toBe(true)
})

test('a session that is begun at one release is one at the other, and a page that was opened before its release went still opens what comes late', async () => {
  const page = await browser.open({ viewport: DESK })
  await only(older, async () => {
    await page.goto(`${hosts.address}/#/en/`)
    await page.getByRole('button', { name: /^Electronic ID/ }).click()
    await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
  })
  await only(newer, async () => {
    const orders = await hosts.control<{ id: string; kind?: string }[]>('GET', 'orders')
    const order = orders.find(({ kind }) => kind === 'eid')
    await hosts.control('POST', `orders/${order?.id}/approve`, { personalNumber: '199007292387' })
    await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
    await page.getByRole('link', { name: 'To invoice 261111' }).click()
    await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
    await page.getByRole('button', { name: 'Why did I get this?' }).last().click()
    await page.getByRole('dialog').waitFor()
  })
  expect(await page.getByRole('dialog').isVisible()).toBe(true)
})

test(`${DEPLOYS} times forth and back: hosts are replaced one after the other while people read and pay`, async () => {
  const invoices = []
  for (let n = 0; n < PAYMENTS; n++) invoices.push(await hosts.buildInvoice())
  const load = beginLoad(hosts, invoices, { readers: 4, payers: 2 })
  const began = performance.now()
  let running = [older, newer]
  let replaced = 0
  try {
    for (let n = 0; n < DEPLOYS; n++) {
      for (const release of ['newer', 'older'] as const) {
        const next: Host[] = []
        for (const host of running) {
          next.push(await hosts.start(release))
          expect(await host.stop()).toBe(0)
          replaced += 1
        }
        running = next
      }
    }
  } finally {
    await load.stop()
  }
  const seconds = (performance.now() - began) / 1000
  await settled()
  const lost = await unpaidOf(load.signed)
  const doubled = await hosts.rows(
    `select invoice_id from payment where status = 'COMPLETED' group by invoice_id having count(*) > 1`,
  )
  const missing = await unknownOf([...load.acknowledged.values()])
  const bad = [...load.answers].filter(([came]) => !/ 20\d$/.test(came))
  say(
    `Rolling: ${replaced} hosts replaced in ${seconds.toFixed(0)} s, ${[...load.answers].map(([came, n]) => `${came}: ${n}`).join(', ')}`,
  )
  say(
    `Payments acknowledged ${load.acknowledged.size}, signed ${load.signed.size}; missing ${missing.length}, lost ${lost.length}, doubled ${doubled.length}; slowest answer ${load.slowestMs().toFixed(0)} ms`,
  )
  expect({ bad, missing, lost, doubled }).toEqual({ bad: [], missing: [], lost: [], doubled: [] })
  expect(load.signed.size).toBeGreaterThan(20)
  for (const view of INVARIANTS)
    expect([view, await hosts.rows(`select * from ${view} limit 5`)]).toEqual([view, []])
})

/** The bank executes what was signed, and the jobs of the hosts hear of it. */
async function settled(): Promise<void> {
  await hosts.control('POST', 'settle', {})
  const open = `select id from payment where status = 'AUTHORIZED' or (status = 'IN_PROGRESS' and exists (
    select from gateway_event e where e.payment_id = payment.id and e.applied_at is null))`
  await expect.poll(async () => (await hosts.rows(open)).length, { timeout: 60_000, interval: 500 }).toBe(0)
}

const unpaidOf = (references: ReadonlySet<string>): Promise<unknown[]> =>
  hosts.rows(
    `select payment_reference from invoice where payment_reference = any($1) and status <> 'CLOSED'`,
    [[...references]],
  )

/** What was acknowledged and is not there. */
const unknownOf = (ids: readonly string[]): Promise<unknown[]> =>
  hosts.rows(
    'select id from unnest($1::uuid[]) as a (id) where not exists (select from payment p where p.id = a.id)',
    [ids],
  )
