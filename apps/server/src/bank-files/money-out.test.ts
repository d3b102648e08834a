/** Money that leaves the bank: whoever tells of it first, the person or the statement, the books end at zero. */
import { beforeEach, describe, expect, test } from 'vitest'
import { recordRefund } from '../refunds/refunds.ts'
import {
  balanceOf,
  build,
  context,
  fileOf,
  instance,
  OF_INSTANCE,
  one,
  outcomesOf,
  rows,
  server,
  takeFiles,
  useBankFiles,
} from '../testing/files/bank-files.ts'
import { TODAY, type BuiltInvoice } from '../testing/build.ts'
import { importBankFiles, placeSuspense, readSuspenseRows } from './bank-files.ts'

useBankFiles()
let serial = 0
let reference = 800_000

/** The statement's line about so much that left the instance's account. */
const debit = (minor: number, name = `out-${(serial += 1)}`): string =>
  `<Ntry><Amt Ccy="SEK">${(minor / 100).toFixed(2)}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
   <BookgDt><Dt>${TODAY}</Dt></BookgDt><AcctSvcrRef>${name}</AcctSvcrRef></Ntry>`

/** What becomes of the lines of a statement of the instance's account. */
async function takeStatement(...entries: readonly string[]): Promise<string[]> {
  const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.02"><BkToCstmrDbtCdtNtfctn>
    <GrpHdr><MsgId>${(serial += 1)}</MsgId></GrpHdr><Ntfctn><Id>${serial}</Id>
    <Acct><Id><Othr><Id>${OF_INSTANCE.replace('-', '')}</Id></Othr></Id></Acct>${entries.join('')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`
  const file = {
    name: `statement-${serial}`,
    async *open() {
      yield Buffer.from(text)
    },
  }
  const outcomes: string[] = []
  for await (const { outcome, reason } of importBankFiles(context(), instance, [file]))
    outcomes.push(outcome === 'refused' ? `${reason}` : outcome)
  return outcomes
}

/** Money that is nobody's comes to the instance's account. Answers its line. */
async function lose(minor: number): Promise<string> {
  const text = String((reference += 1))
  const file = fileOf([{ reference: text, amountMinor: minor }], { bankgiro: OF_INSTANCE })
  expect(outcomesOf(await takeFiles(file))).toEqual(['suspense'])
  const found = (await readSuspenseRows(server.test.db)).find((row) => row.payment_references[0] === text)
  return found?.id ?? ''
}
/** It goes back, and a person orders it at the bank. */
async function sendBack(lineId: string): Promise<void> {
  const by = { instanceId: server.instanceId, by: 'person:anna' }
  await placeSuspense(context(), { ...by, lineId, to: 'back' })
  await recordRefund(context(), { ...by, about: `bank-line:${lineId}`, holder: 'INSTANCE', hasLeft: false })
}

/** 842,00 are owed and so much more comes. */
async function overpay(minor: number): Promise<BuiltInvoice> {
  const invoice = await build(84_200)
  const payment = { reference: invoice.reference, amountMinor: 84_200 + minor }
  expect(outcomesOf(await takeFiles(fileOf([payment], { bankgiro: OF_INSTANCE })))).toEqual(['booked'])
  return invoice
}
const aboutOf = async ({ id }: BuiltInvoice): Promise<string> =>
  (
    await one<{ cause: string }>(
      `select replace(cause, 'refund:', '') as cause from ledger_transaction where invoice_id = $1 and cause like 'refund:payment:%'`,
      id,
    )
  ).cause
const refund = async (invoice: BuiltInvoice, hasLeft = false) =>
  recordRefund(context(), {
    instanceId: server.instanceId,
    by: 'person:anna',
    about: await aboutOf(invoice),
    holder: 'INSTANCE',
    hasLeft,
  })

/** What stands at the bank, to leave it, in suspense and owed back, since the test began. */
const standing = async () => [
  await balanceOf('clearing', 'BANK_FILE'),
  await balanceOf('clearing', 'BANK_RETURN'),
  await balanceOf('suspense'),
  await balanceOf('credit'),
]
let before: number[] = []
beforeEach(async () => {
  before = await standing()
})
const moved = async () => (await standing()).map((minor, index) => minor - (before[index] ?? 0))
const openTasks = async (kind: string) =>
  (await rows('select about from task where kind = $1 and done_at is null', kind)).length

describe('money that nobody could place goes back', () => {
  test('ordered, then told by the statement; a statement in another file changes nothing', async () => {
    const asked = await openTasks('send_back')
    await sendBack(await lose(10_100))
    expect(await moved()).toEqual([10_100, -10_100, 0, 0])
    expect(await openTasks('send_back')).toBe(asked + 1)
    expect(await takeStatement(debit(10_100, 'a'))).toEqual(['settled'])
    expect(await moved()).toEqual([0, 0, 0, 0])
    expect(await openTasks('send_back')).toBe(asked)
    expect(await takeStatement(debit(10_100, 'a'))).toEqual(['unchanged'])
    expect(await moved()).toEqual([0, 0, 0, 0])
  })

  test('told by the statement before it is ordered: a person is asked until it is', async () => {
    const lineId = await lose(10_200)
    const asked = await openTasks('bank_line')
    expect(await takeStatement(debit(10_200))).toEqual(['suspense'])
    expect(await openTasks('bank_line')).toBe(asked + 1)
    expect(await moved()).toEqual([0, 0, 0, 0])
    await Promise.all([sendBack(lineId), sendBack(lineId)])
    expect(await moved()).toEqual([0, 0, 0, 0])
    expect(await openTasks('bank_line')).toBe(asked - 1)
  })

  test('two of one amount need two lines', async () => {
    await sendBack(await lose(10_300))
    await sendBack(await lose(10_300))
    expect(await takeStatement(debit(10_300))).toEqual(['settled'])
    expect(await moved()).toEqual([10_300, -10_300, 0, 0])
    expect(await takeStatement(debit(10_300), debit(10_300))).toEqual(['settled', 'suspense'])
    expect(await moved()).toEqual([-10_300, 0, 10_300, 0])
  })

  test.each(['before', 'after'])('a person says that it has left, %s the statement: once', async (when) => {
    const lineId = await lose(10_400)
    await sendBack(lineId)
    const wish = {
      instanceId: server.instanceId,
      by: 'person:anna',
      about: `bank-line:${lineId}`,
      holder: 'INSTANCE',
      hasLeft: true,
    } as const
    if (when === 'after') expect(await takeStatement(debit(10_400))).toEqual(['settled'])
    await recordRefund(context(), wish)
    expect(await moved()).toEqual([0, 0, 0, 0])
    await recordRefund(context(), wish)
    if (when === 'before') expect(await takeStatement(debit(10_400))).toEqual(['settled'])
    expect(await moved()).toEqual([0, 0, 0, 0])
  })
})

test('what was sent and has come back is money of nobody’s, whatever it says', async () => {
  const invoice = await build(84_200)
  const returned = debit(84_200)
    .replace('<CdtDbtInd>DBIT</CdtDbtInd>', '<CdtDbtInd>CRDT</CdtDbtInd><RvslInd>true</RvslInd>')
    .replace(
      '</Ntry>',
      `<NtryDtls><TxDtls><RmtInf><Strd><CdtrRefInf><Ref>${invoice.reference}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>`,
    )
  expect(await takeStatement(returned)).toEqual(['suspense'])
  expect(await moved()).toEqual([84_200, 0, -84_200, 0])
})

describe('what was paid too much is refunded by transfer', () => {
  test('recorded, then told by the statement', async () => {
    const invoice = await overpay(10_500)
    expect(await moved()).toEqual([94_700, 0, 0, -10_500])
    await Promise.all([refund(invoice), refund(invoice)])
    expect(await moved()).toEqual([94_700, -10_500, 0, 0])
    expect(await takeStatement(debit(10_500))).toEqual(['settled'])
    expect(await moved()).toEqual([84_200, 0, 0, 0])
  })

  test('told by the statement, then recorded', async () => {
    const invoice = await overpay(10_600)
    expect(await takeStatement(debit(10_600))).toEqual(['suspense'])
    await refund(invoice)
    await refund(invoice)
    expect(await moved()).toEqual([84_200, 0, 0, 0])
  })

  test('two debtors, the same amount: each once', async () => {
    const [one, other] = [await overpay(10_700), await overpay(10_700)]
    await refund(one)
    expect(await takeStatement(debit(10_700), debit(10_700))).toEqual(['settled', 'suspense'])
    await refund(other)
    expect(await moved()).toEqual([168_400, 0, 0, 0])
  })

  test('where no statement tells, a person says that it has left', async () => {
    const invoice = await overpay(10_800)
    await refund(invoice, true)
    expect(await moved()).toEqual([84_200, 0, 0, 0])
  })

  test('the payment cannot be taken back any more by the bank without a person', async () => {
    const invoice = await overpay(10_900)
    await refund(invoice)
    const other = await build(100_000)
    const payments = [
      { reference: other.reference, amountMinor: 100_000 },
      { reference: invoice.reference, amountMinor: 95_100, kind: 'deduction' as const },
    ]
    expect(outcomesOf(await takeFiles(fileOf(payments, { bankgiro: OF_INSTANCE })))).toEqual([
      'booked',
      'suspense',
    ])
  })

  test('what is not owed back is refused', async () => {
    const wish = {
      instanceId: server.instanceId,
      by: 'person:anna',
      about: 'payment:0198e1c0-5a1b-7c3d-8e4f-0123456789ab',
      holder: 'INSTANCE',
      hasLeft: false,
    } as const
    await expect(recordRefund(context(), wish)).rejects.toThrow(/^Nothing is owed back for/)
  })
})
