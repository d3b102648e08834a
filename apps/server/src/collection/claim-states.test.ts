/** Every state of a claim against everything that can be done to it: what the table allows happens, nothing else does. */
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import type { ClaimStatus } from '@kvitt/domain/claims/claim.ts'
import { readConfig } from '../../config/config.ts'
import type { Context } from '../context.ts'
import { disputeClaim } from '../disputes/disputes.ts'
import { openInstances, type Instance } from '../instances/instances.ts'
import { publicViewer } from '../sign-in/viewer.ts'
import { openLog } from '../platform/log.ts'
import { buildInstance, buildInvoice, testClock } from '../testing/build.ts'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import {
  pauseClaim,
  rejectClaimDispute,
  resumeClaim,
  performDailyRun,
  stopClaim,
  upholdClaimDispute,
} from './collection.ts'

const TODAY = date('2026-05-04')
const DUE = addDays(TODAY, -22)

type Claim = { id: string; reference: string; zip: string }
type Act = (claim: Claim) => Promise<unknown>

let db: TestDatabase
let instance: Instance
let context: Context
const waiting: Claim[] = []
const clock = testClock(TODAY)

const key = (claim: Claim) => ({ instanceId: instance.id, claimId: claim.id })
const answered = { on: TODAY, answer: 'Avtalet är undertecknat.' }

const ACTS = {
  pause: (claim) => pauseClaim(context, key(claim), { on: TODAY, reason: 'respite', resumeDate: null }),
  resume: (claim) => resumeClaim(context, key(claim), TODAY),
  dispute: (claim) =>
    disputeClaim(context, publicViewer(instance, claim.reference, claim.zip), undefined, {
      debtorEmail: 'alva@example.com',
      reason: 'Fel mätare',
    }),
  reject: (claim) => rejectClaimDispute(context, key(claim), answered),
  uphold: (claim) => upholdClaimDispute(context, key(claim), { ...answered, creditMinor: 'all' }),
  stop: (claim) => stopClaim(context, key(claim), { on: TODAY, reason: 'withdrawn' }),
  night: () => performDailyRun(context, instance, TODAY),
} as const satisfies Record<string, Act>
type ActName = keyof typeof ACTS

const PATHS: Readonly<Record<ClaimStatus, readonly ActName[]>> = {
  OPEN: [],
  PAUSED: ['pause'],
  RESUME: ['pause', 'resume'],
  DISPUTED: ['dispute'],
  CLOSED: ['dispute', 'uphold'],
  STOPPED: ['stop'],
}

/** Where an act leads; what is not here is refused or does nothing, and the claim stays what it is. */
const LEADS: Readonly<Partial<Record<ActName, Partial<Record<ClaimStatus, ClaimStatus>>>>> = {
  pause: { OPEN: 'PAUSED', RESUME: 'PAUSED' },
  resume: { PAUSED: 'RESUME' },
  dispute: { OPEN: 'DISPUTED', RESUME: 'DISPUTED', PAUSED: 'DISPUTED' },
  reject: { DISPUTED: 'RESUME' },
  uphold: { DISPUTED: 'CLOSED' },
  stop: { OPEN: 'STOPPED', RESUME: 'STOPPED', PAUSED: 'STOPPED', DISPUTED: 'STOPPED' },
}

const statuses = Object.keys(PATHS) as ClaimStatus[]
const cases = statuses.flatMap((from) =>
  (Object.keys(ACTS) as ActName[]).map((act) => ({ from, act, to: LEADS[act]?.[from] ?? from })),
)

beforeAll(async () => {
  db = await testDatabase()
  const { id } = await buildInstance(db)
  instance = (await openInstances(db.db, clock).all()).find((one) => one.id === id) as Instance
  context = { db: db.db, clock, log: openLog('silent'), config: readConfig({}) } as unknown as Context
  clock.moveTo(addDays(DUE, -30))
  for (let n = 0; n < cases.length; n++) await buildInvoice(db, id, clock, { dueDate: DUE })
  for (const after of NIGHTS_TO_CLAIM) {
    clock.moveTo(addDays(DUE, after))
    await performDailyRun(context, instance, addDays(DUE, after))
  }
  const { rows } = await db.owner.query('select id, payment_reference as reference, zip from claim')
  waiting.push(...rows)
}, 60_000)

async function stateOf({ id }: Claim) {
  const claim = await db.owner.query(
    `select status, balance_minor::int as balance from claim where id = $1`,
    [id],
  )
  const planned = await db.owner.query(
    `select count(*)::int as n from collection_step where claim_id = $1 and status = 'PLANNED'`,
    [id],
  )
  return {
    ...(claim.rows[0] as { status: ClaimStatus; balance: number }),
    planned: planned.rows[0].n as number,
  }
}

describe.each(statuses)('%s', (status) => {
  test.each(cases.filter(({ from }) => from === status))('$act: $to', async ({ from, act, to }) => {
    const claim = waiting.pop() as Claim
    for (const step of PATHS[from]) await ACTS[step](claim)
    const before = await stateOf(claim)
    expect(before.status).toBe(from)
    const outcome = await ACTS[act](claim).then(
      () => 'done',
      () => 'refused',
    )
    const after = await stateOf(claim)
    expect(after.status).toBe(to)
    if (outcome === 'refused' || to === from) expect(after).toEqual(before)
    expect(after.planned).toBe(to === 'OPEN' || to === 'RESUME' ? 1 : 0)
    expect(after.balance === 0).toBe(to === 'CLOSED')
    // Once more: a second hand comes too late.
    await ACTS[act](claim).catch(() => {})
    if (to !== from) expect((await stateOf(claim)).balance).toBe(after.balance)
  })
})
