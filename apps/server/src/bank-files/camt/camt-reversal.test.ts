/** A bank that gives a reversal the reference of the entry that it takes back. */
import { expect, test } from 'vitest'
import { openInstances } from '../../instances/instances.ts'
import { openLog } from '../../platform/log.ts'
import { buildInvoice, TODAY } from '../../testing/build.ts'
import { startTestServer } from '../../testing/start-test-server.ts'
import { importBankFiles } from '../bank-files.ts'

const server = await startTestServer()

function entry(name: string, reference: string, isReversal: boolean): string {
  const strd = reference && `<RmtInf><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf>`
  return `<Ntry><Amt Ccy="SEK">842.00</Amt><CdtDbtInd>${isReversal ? 'DBIT' : 'CRDT'}</CdtDbtInd>
    <RvslInd>${isReversal}</RvslInd><Sts>BOOK</Sts><BookgDt><Dt>${TODAY}</Dt></BookgDt><AcctSvcrRef>${name}</AcctSvcrRef>
    <NtryDtls><TxDtls>${strd}</TxDtls></NtryDtls></Ntry>`
}

async function take(...entries: string[]): Promise<string[]> {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>${Math.random()}</MsgId></GrpHdr>
<Stmt><Id>1</Id><Acct><Id><Othr><Id>99900227</Id></Othr></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`
  const file = {
    name: 'camt',
    async *open() {
      yield Buffer.from(text)
    },
  }
  const instance = await openInstances(server.test.db, server.clock).ofHost('localhost')
  if (!instance) throw new Error('there is no instance')
  const { db } = server.test
  const context = { db, clock: server.clock, config: server.product.context.config, log: openLog('silent') }
  const outcomes: string[] = []
  for await (const { outcome, reason } of importBankFiles(context, instance, [file]))
    outcomes.push(outcome === 'refused' ? `${reason}` : outcome)
  return outcomes
}

const stateOf = async ({ id }: { id: string }): Promise<string> =>
  (
    await server.test.owner.query(
      `select concat_ws(' ', status, balance_minor) as text from invoice where id = $1`,
      [id],
    )
  ).rows[0]?.text

test('takes that entry back, once, also without the payer’s reference, and not another one like it', async () => {
  const first = await buildInvoice(server.test, server.instanceId, server.clock)
  const second = await buildInvoice(server.test, server.instanceId, server.clock)
  expect(await take(entry('A1', first.reference, false), entry('A2', second.reference, false))).toEqual([
    'booked',
    'booked',
  ])
  const back = entry('A1', '', true)
  expect(await take(back)).toEqual(['reversed'])
  expect([await stateOf(first), await stateOf(second)]).toEqual(['ACTIVATED 84200', 'CLOSED 0'])
  expect(await take(entry('A1', first.reference, false), back, entry('A2', second.reference, true))).toEqual([
    'reversed',
  ])
  expect([await stateOf(first), await stateOf(second)]).toEqual(['ACTIVATED 84200', 'ACTIVATED 84200'])
})

test('in one file with its entry', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  expect(await take(entry('B1', invoice.reference, false), entry('B1', invoice.reference, true))).toEqual([
    'booked',
    'reversed',
  ])
  expect(await stateOf(invoice)).toBe('ACTIVATED 84200')
})

test('of what lies in suspense', async () => {
  expect(await take(entry('C1', '', false))).toEqual(['suspense'])
  expect(await take(entry('C1', '', true))).toEqual(['reversed'])
})
