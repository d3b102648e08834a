import { beforeAll, describe, expect, test } from 'vitest'
import { buildClaim } from '../src/testing/build-claim.ts'
import { buildInvoice, type BuiltInvoice } from '../src/testing/build.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { startTestServer, type TestServer } from '../src/testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const run = (...args: string[]): Promise<Ended> =>
  runHere('decide-debt-cli', args, { DATABASE_URL: urlOf(server.test) })
const sql = async (text: string, ...values: unknown[]) => (await server.test.owner.query(text, values)).rows
const build = () => buildInvoice(server.test, server.instanceId, server.clock)
const stateOf = ({ id }: BuiltInvoice) =>
  sql('select status, resume_date::text as until, balance_minor::int as owed from invoice where id = $1', id)
const deedsOf = (about: string) =>
  sql('select kind, actor, reason from audit_event where about = $1 and is_deed order by seq', about)
const said = (stdout: string) => ({ status: 0, stdout, stderr: '' })

test('an invoice is paused, goes on and ends, each once, by a name and for a reason', {
  timeout: 120_000,
}, async () => {
  const invoice = await build()
  const by = ['--invoice', invoice.number, '--by', 'Eva Berg']
  const pause = [...by, '--pause', '--until', '2027-01-15', '--reason', 'Respite agreed by telephone']
  const paused = await Promise.all([run(...pause), run(...pause)])
  expect(new Set(paused.map(({ stdout }) => stdout))).toEqual(
    new Set([`paused  ${invoice.number}\n`, `paused before  ${invoice.number}\n`]),
  )
  expect(await stateOf(invoice)).toEqual([{ status: 'PAUSED', until: '2027-01-15', owed: 84_200 }])
  expect(await run(...by, '--pause', '--reason', 'Another')).toEqual({
    status: 2,
    stdout: '',
    stderr: `${invoice.number} is paused already, until 2027-01-15. Resume it first.\n`,
  })
  const resume = [...by, '--resume', '--reason', 'Asked to go on']
  expect(await run(...resume)).toEqual(said(`resumed  ${invoice.number}\n`))
  expect(await run(...resume)).toEqual(said(`resumed before  ${invoice.number}\n`))
  const stop = [...by, '--stop', '--reason', 'Insolvent']
  expect(await run(...stop)).toEqual(said(`stopped  ${invoice.number}\n`))
  expect(await run(...stop)).toEqual(said(`stopped before  ${invoice.number}\n`))
  expect((await stateOf(invoice))[0]).toMatchObject({ status: 'STOPPED', owed: 84_200 })
  expect(await run(...resume)).toMatchObject({ status: 2, stderr: `${invoice.number} is not paused.\n` })
  expect(await run(...by, '--pause', '--reason', 'Too late')).toMatchObject({
    status: 2,
    stderr: `${invoice.number} is stopped: it cannot be paused.\n`,
  })
  expect(await deedsOf(`invoice:${invoice.id}`)).toEqual([
    { kind: 'debt_paused', actor: 'person:Eva Berg', reason: 'Respite agreed by telephone' },
    { kind: 'debt_resumed', actor: 'person:Eva Berg', reason: 'Asked to go on' },
    { kind: 'debt_stopped', actor: 'person:Eva Berg', reason: 'Insolvent' },
  ])
})

test('a denied tax reduction is owed too, once for each decision of the authority', {
  timeout: 60_000,
}, async () => {
  const invoice = await build()
  const deny = [
    '--invoice',
    invoice.reference,
    '--deny-tax-reduction',
    '150.00',
    '--reason',
    'Letter of today',
  ]
  const before = `tax reduction denied before  ${invoice.number}\n`
  expect(await run(...deny, '--decision', 'SKV 12')).toEqual(
    said(`tax reduction denied  ${invoice.number}\n`),
  )
  expect(await run(...deny, '--decision', 'SKV 12')).toEqual(said(before))
  const other = deny.map((word) => (word === '150.00' ? '15.00' : word))
  expect(await run(...other, '--decision', 'SKV 12')).toMatchObject({
    status: 2,
    stderr: 'The decision SKV 12 was entered with 150.00 SEK: another sum needs a decision of its own.\n',
  })
  expect((await stateOf(invoice))[0]).toMatchObject({ status: 'ACTIVATED', owed: 99_200 })
  expect(await deedsOf(`invoice:${invoice.id}`)).toMatchObject([{ kind: 'tax_reduction_denied' }])
  const much = [
    '--invoice',
    invoice.number,
    '--deny-tax-reduction',
    '842.01',
    '--decision',
    'SKV 13',
    '--reason',
    'x1',
  ]
  expect(await run(...much)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/no more than the 842\.00 SEK/),
  })
})

test('fees are waived and a debt is written off, each once, with who and why', {
  timeout: 120_000,
}, async () => {
  const claim = await buildClaim(server.test, server.instanceId, server.clock)
  const [{ costs }] = await sql('select costs_minor::int as costs from claim where id = $1', claim.id)
  expect(costs).toBeGreaterThan(0)
  const by = ['--claim', claim.number, '--by', 'Eva Berg', '--reason', 'Settled by telephone']
  const waived = await run(...by, '--waive', 'costs', '--amount', '10.00')
  expect(waived).toEqual(said(`waived  ${claim.number}  10.00 SEK\n`))
  expect(await run(...by, '--waive', 'costs', '--amount', '10.00')).toEqual(
    said(`waived before  ${claim.number}\n`),
  )
  expect((await run(...by, '--waive', 'costs')).stdout).toMatch(/^waived {2}\d+ {2}\d+\.00 SEK\n$/)
  expect((await run(...by, '--write-off')).stdout).toMatch(/^written off {2}\d+ {2}\d+\.\d\d SEK\n$/)
  expect(await run(...by, '--write-off')).toEqual(said(`written off before  ${claim.number}\n`))
  expect(await sql('select status, balance_minor::int as owed from claim where id = $1', claim.id)).toEqual([
    { status: 'STOPPED', owed: 0 },
  ])
  expect((await deedsOf(`claim:${claim.id}`)).map(({ kind, actor }) => `${kind} ${actor}`)).toEqual([
    'costs_waived person:Eva Berg',
    'costs_waived person:Eva Berg',
    'debt_written_off person:Eva Berg',
  ])
})

test('a claim is paused and goes on; its invoice is not decided about alone', {
  timeout: 60_000,
}, async () => {
  const claim = await buildClaim(server.test, server.instanceId, server.clock)
  const by = ['--claim', claim.number, '--reason', 'Debt adviser']
  expect(await run(...by, '--pause')).toEqual(said(`paused  ${claim.number}\n`))
  expect(await sql('select status from claim where id = $1', claim.id)).toEqual([{ status: 'PAUSED' }])
  expect(await run(...by, '--resume')).toEqual(said(`resumed  ${claim.number}\n`))
  expect(await sql('select status from claim where id = $1', claim.id)).toEqual([{ status: 'RESUME' }])
  const [member] = await sql('select id, invoice_number as number from invoice where claim_id = $1', claim.id)
  expect(await run('--invoice', String(member.id), '--stop', '--reason', 'Withdrawn')).toMatchObject({
    status: 2,
    stderr: `Invoice ${member.number} is part of a claim: decide about the claim.\n`,
  })
  expect(await run(...by, '--deny-tax-reduction', '1.00', '--decision', 'SKV 1')).toMatchObject({ status: 2 })
})

describe('what is wrong is answered with one sentence and status 2', () => {
  const WHY = ['--reason', 'Why not']
  test.each([
    ['nothing named', ['--pause', ...WHY], /^Name one invoice or one claim\. Usage: npm run decide-debt/],
    [
      'both named',
      ['--invoice', '1', '--claim', '2', '--pause', ...WHY],
      /^Name one invoice or one claim\. /,
    ],
    ['no decision', ['--invoice', '1', ...WHY], /^Name one decision\. /],
    [
      'an empty reason',
      ['--invoice', 'none', '--pause', '--reason', ' . '],
      /^Say why: the reason is empty\.$/m,
    ],
    ['no day', ['--invoice', '1', '--pause', '--until', '2027-02-30', ...WHY], /^"2027-02-30" is no day/],
    [
      'a day for a stop',
      ['--invoice', '1', '--stop', '--until', '2027-02-01', ...WHY],
      /^--until belongs to --pause\./,
    ],
    [
      'an amount of a pause',
      ['--invoice', '1', '--pause', '--amount', '1', ...WHY],
      /^--amount belongs to --waive or --write-off\./,
    ],
    [
      'nothing to waive',
      ['--invoice', '1', '--waive', 'all', ...WHY],
      /^"all" is nothing that can be waived: /,
    ],
    ['two decisions', ['--invoice', '1', '--write-off', '--stop', ...WHY], /^Name one decision\. /],
    ['no authority’s decision', ['--invoice', '1', '--deny-tax-reduction', '1', ...WHY], /belong together\./],
    [
      'nobody’s invoice',
      ['--invoice', '990099009', '--pause', ...WHY],
      /^The provider has no invoice 990099009\.$/m,
    ],
  ])('%s', async (_, args, sentence) => {
    const { status, stdout, stderr } = await run(...args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })

  test('a pause that is over before it begins, and an invoice of another provider', async () => {
    const invoice = await build()
    const past = ['--invoice', invoice.number, '--pause', '--until', '2026-01-01', ...WHY]
    expect((await run(...past)).stderr).toMatch(/^It would be over before it begins: /)
    expect(await stateOf(invoice)).toMatchObject([{ status: 'ACTIVATED' }])
    expect((await run('--provider', 'nobody', '--invoice', invoice.number, '--pause', ...WHY)).status).toBe(2)
  })
})
