import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { amountText } from '../html.ts'
import type { Journal } from '../journal.ts'
import type { Product } from '../product.ts'
import { answerJson, answerSentence } from '../serve.ts'
import type { Answer } from '../serve.ts'
import type { Bank } from './bank.ts'
import { writeBankFile } from './bank-file.ts'
import type { Credit, Deposit } from './bank-file.ts'
import { accountNumberOf, referenceOf, twoDecimals } from './payment.ts'
import type { Payment } from './payment.ts'
import { accountOf, readEnds } from './transfers.ts'
import type { CreditEnd, Transfer, WantedTransfer } from './transfers.ts'

/** A file that the bank has made of one account's day. Its bytes are in base64. */
export interface BankFile {
  id: string
  name: string
  content: string
  /** The credits in it, in the order of its lines. */
  credits: string[]
  /** What became of them; absent until the product has taken the file. */
  ends?: Record<string, CreditEnd>
}

/** Money by hand, and the bank's files of all that came to the accounts. */
export interface Statements {
  /** Newest first. */
  transfers(): Transfer[]
  send(wanted: WantedTransfer): Promise<Transfer>
  /** What became of a transfer or payment that a file has told of; undefined before that. */
  endOf(id: string): CreditEnd | undefined
  /** Credits that no file has told of that was taken. */
  waiting(): number
  /** Money that the product can know from a file only. */
  hasNews(): boolean
  /** Makes files of what has come and hands them over, those that were not taken before first. */
  deliver(): Promise<Answer>
  replayTransfer(transfer: Transfer): void
  replayFile(file: BankFile): void
}

export interface StatementParts {
  journal: Pick<Journal, 'append' | 'saved'>
  bank: Pick<Bank, 'payments'>
  clock: Clock
  product: Pick<Product, 'today' | 'forward'>
  report(text: string): void
}

/** The product's own numbers begin at one: the same deposit twice would be one. */
const FIRST_SERIAL = 10_001
/** In a file, so that the product takes it in one call. */
const MOST_CREDITS = 500

interface Kept {
  transfers: Map<string, Transfer>
  files: Map<string, BankFile>
  /** By credit, of those that a file tells of. */
  ends: Map<string, CreditEnd | undefined>
}

export function openStatements(parts: StatementParts): Statements {
  const { journal, bank, clock, product, report } = parts
  const kept: Kept = { transfers: new Map(), files: new Map(), ends: new Map() }
  let delivering: Promise<Answer> | undefined
  const arrived = () => [...bank.payments().flatMap(executed), ...[...kept.transfers.values()].map(byHand)]
  const isWaiting = (id: string) => kept.ends.get(id) === undefined
  async function deliver(): Promise<Answer> {
    makeFiles(parts, kept, arrived())
    await journal.saved()
    return handOver(parts, kept)
  }

  return {
    transfers: () => [...kept.transfers.values()].reverse(),
    async send(wanted) {
      const transfer = { ...wanted, id: randomUUID(), day: await product.today(), createdAtMs: clock.now() }
      journal.append({ type: 'transfer', transfer })
      kept.transfers.set(transfer.id, transfer)
      const { amount, currency, account } = transfer
      report(`Paid by hand: ${amountText(amount)} ${currency} to ${account}`)
      return transfer
    },
    endOf: (id) => kept.ends.get(id),
    waiting: () => arrived().filter(({ credit }) => isWaiting(credit.id)).length,
    hasNews: () =>
      [...kept.transfers.keys()].some(isWaiting) ||
      bank
        .payments()
        .some(({ paymentId, isUntold, status }) => isUntold && status === 'ACSC' && isWaiting(paymentId)),
    deliver() {
      delivering ??= deliver().finally(() => {
        delivering = undefined
      })
      return delivering
    },
    replayTransfer: (transfer) => void kept.transfers.set(transfer.id, transfer),
    replayFile: (file) => keep(kept, file),
  }
}

function keep({ files, ends }: Kept, file: BankFile): void {
  files.set(file.id, file)
  for (const id of file.credits) ends.set(id, file.ends?.[id])
}

/** A file for each account's day that has something no file has told of. */
function makeFiles({ journal }: StatementParts, kept: Kept, arrived: readonly Arrived[]): void {
  const deposits = new Map<string, Omit<Deposit, 'serial'> & { credits: Credit[] }>()
  for (const { credit, ...place } of arrived) {
    if (kept.ends.has(credit.id)) continue
    const key = [place.account, place.scheme, place.currency, place.day].join(' ')
    const deposit = deposits.get(key) ?? { ...place, credits: [] }
    deposit.credits.push(credit)
    deposits.set(key, deposit)
    // What is full goes by itself; the next credit begins another.
    if (deposit.credits.length === MOST_CREDITS) {
      deposits.delete(key)
      deposits.set(`${key} ${credit.id}`, deposit)
    }
  }
  for (const deposit of deposits.values()) {
    const serial = FIRST_SERIAL + kept.files.size
    const kind = deposit.scheme === 'BANKGIRO' ? 'BgMax' : 'camt.054'
    const file: BankFile = {
      id: randomUUID(),
      name: `${kind} ${deposit.account} ${deposit.day} ${serial}`,
      content: writeBankFile({ ...deposit, serial }).toString('base64'),
      credits: deposit.credits.map(({ id }) => id),
    }
    journal.append({ type: 'bankFile', file })
    keep(kept, file)
  }
}

/** Hands over what the product has not taken. A file that it has taken before is the same to it. */
async function handOver({ journal, product, report }: StatementParts, kept: Kept): Promise<Answer> {
  const taken: object[] = []
  for (const file of [...kept.files.values()].filter(({ ends }) => ends === undefined)) {
    const { name, content, credits } = file
    const answer = await product.forward('POST', '/api/demo/bank-files', { name, content })
    if (answer.status !== 200) return answer
    const ends = endsOf(file, readEnds(JSON.parse(String(answer.body))))
    if (!ends) return answerSentence(502, 'The product did not say what it took.')
    const done = { ...file, ends }
    journal.append({ type: 'bankFile', file: done })
    keep(kept, done)
    report(`${name}: ${describe(done)}`)
    taken.push({ name, lines: credits.map((id) => ({ id, ...ends[id] })) })
  }
  return answerJson(200, { files: taken })
}

type Arrived = Omit<Deposit, 'serial' | 'credits'> & { credit: Credit }

function executed(payment: Payment): Arrived[] {
  const { isPast = false, isUntold = false } = payment
  if (payment.status !== 'ACSC' || payment.executionDate === undefined || (isPast && !isUntold)) return []
  const { currency, amount } = payment.instructedAmount
  const { creditorAccount } = payment
  const number = accountNumberOf(creditorAccount)
  const isGiro = 'other' in creditorAccount && creditorAccount.other.schemeName === 'BANKGIRO'
  const plain = number.replace(/[^0-9A-Za-z]/g, '')
  const place = accountOf(isGiro ? number : plain, isGiro ? currency : '') ?? {
    account: plain,
    scheme: 'OTHER' as const,
  }
  const endToEndId = payment.endToEndIdentification
  return [
    {
      ...place,
      currency,
      day: payment.executionDate,
      credit: {
        id: payment.paymentId,
        amount: twoDecimals(amount),
        reference: referenceOf(payment),
        payer: 'Payer at Demobanken',
        ...(endToEndId === undefined ? {} : { endToEndId }),
      },
    },
  ]
}

function byHand({ id, account, scheme, currency, amount, reference, payer, day }: Transfer): Arrived {
  return { account, scheme, currency, day, credit: { id, amount, reference, payer } }
}

/** What became of each credit; undefined when the product did not say it of all. */
function endsOf(file: BankFile, read: ReturnType<typeof readEnds>): Record<string, CreditEnd> | undefined {
  if (!read) return undefined
  const refused = 'refused' in read ? read.refused : undefined
  const ends = file.credits.map((id, index) => {
    const end =
      read instanceof Map
        ? read.get(index + 1)
        : { status: 'REFUSED' as const, number: null, reason: refused ?? null }
    return [id, end] as const
  })
  return ends.every(([, end]) => end) ? (Object.fromEntries(ends) as Record<string, CreditEnd>) : undefined
}

function describe({ credits, ends = {} }: BankFile): string {
  const refused = Object.values(ends).find(({ status }) => status === 'REFUSED')
  if (refused) return `refused. ${refused.reason ?? ''}`.trim()
  const counts = new Map<string, number>()
  for (const { status } of Object.values(ends)) counts.set(status, (counts.get(status) ?? 0) + 1)
  const told = [...counts].map(([status, count]) => `${count} ${status.toLowerCase().replace('_', ' ')}`)
  return `${credits.length} ${credits.length === 1 ? 'payment' : 'payments'}, ${told.join(', ')}`
}
