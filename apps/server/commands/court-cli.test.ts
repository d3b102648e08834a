import { beforeAll, expect, test } from 'vitest'
import { TODAY } from '../src/testing/build.ts'
import { buildClaim, type BuiltClaim } from '../src/testing/build-claim.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { startTestServer, type TestServer } from '../src/testing/start-test-server.ts'

const run = (env: Record<string, string>, ...args: string[]): Promise<Ended> =>
  runHere('court-cli', args, env)

let server: TestServer
let claim: BuiltClaim

beforeAll(async () => {
  server = await startTestServer()
  claim = await buildClaim(server.test, server.instanceId, server.clock, { daysAgo: 40 })
  await server.test.owner.query(`update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x'`)
})

test('records an application once and says so again; refuses with a sentence and a code', async () => {
  const env = { DATABASE_URL: urlOf(server.test) }
  const who = ['--by', 'berit', '--reason', 'filed', '--claim', claim.number]
  const what = ['--record-application', TODAY, '--authority', 'Kronofogden', '--case-number', '01-1-26']
  const recorded = `recorded     claim ${claim.number}: applied for on ${TODAY} at Kronofogden, 01-1-26\n`
  const twice = await Promise.all([run(env, ...who, ...what), run(env, ...who, ...what)])
  expect(twice).toEqual([1, 2].map(() => ({ status: 0, stdout: recorded, stderr: '' })))
  const { rows } = await server.test.owner.query(
    `select count(*)::int as times from ledger_transaction where kind = 'COURT_FEE' and claim_id = $1`,
    [claim.id],
  )
  expect(rows).toEqual([{ times: 1 }])
  const refused = await Promise.all([
    run(env, ...who, '--apply'),
    run(env, ...who, '--apply', '--not-applied'),
    run(env, '--claim', claim.number, '--apply'),
  ])
  const sentences = [/\(schedule_running\)\n$/, /^Name one of --apply/, /^--by is missing/]
  expect(refused).toEqual(
    sentences.map((stderr) => ({ status: 2, stdout: '', stderr: expect.stringMatching(stderr) as string })),
  )
}, 120_000)
