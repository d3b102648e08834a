/** What lies on the desks of the firm's staff today: at least one of each thing that a normal day brings. Done again it changes nothing. */
import { addDays } from '@kvitt/domain/calendar.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { ask } from '../../conversations/conversations.ts'
import { publicViewer } from '../../sign-in/viewer.ts'
import type { Today } from './desk.ts'
import { readDebtorOf, readFirmDebts, readWaitingClaim } from './firm.queries.ts'
import { layOutMoney } from './today-money.ts'
import type { FirmInvoice, Story } from './recipe.ts'

export async function layOutToday(stage: Today): Promise<void> {
  const waiting = waitingOf(stage)
  await askAround(stage, waiting)
  await enterWhatIsKnown(stage, waiting)
  await importWithErrors(stage)
  await listenToEvents(stage)
  await goToCourt(stage)
  await layOutMoney(stage)
}

const IN_CLAIM_AFTER_DAYS = 20
const STILL_OWED: readonly Story[] = ['reminded', 'inClaim', 'unpaid', 'late']

/**
 * What is owed today, and in no claim or plan. By the recipe and not by the books: done again it is the same people who ask.
 */
function waitingOf({ invoices, today }: Today): FirmInvoice[] {
  const isWaiting = ({ due, happens, story }: FirmInvoice): boolean =>
    due >= addDays(today, -IN_CLAIM_AFTER_DAYS) &&
    (happens === null || happens > today) &&
    STILL_OWED.includes(story)
  return invoices.filter(isWaiting)
}

const ofKind = (waiting: readonly FirmInvoice[], kind: 'PERSON' | 'COMPANY'): FirmInvoice[] =>
  waiting.filter(({ debtor }) => debtor.kind === kind)

/** Four customers ask something: a question, more time, a plan, and that their payment is looked for. */
async function askAround(
  { context, instance, today }: Today,
  waiting: readonly FirmInvoice[],
): Promise<void> {
  const late = ofKind(waiting, 'PERSON').filter(({ due, creditor }) => due < today && creditor === 'energy')
  const debts = await readFirmDebts(
    context.db,
    instance.id,
    late.map(({ number }) => number),
  )
  const asked = [
    { kind: 'QUESTION', text: 'Varför är elen dyrare i år än i fjol?' },
    { kind: 'MORE_TIME', text: 'Jag får min lön den tjugofemte.', day: addDays(today, 14) },
    {
      kind: 'SAID_PAID',
      text: 'Jag betalade i banken i förra veckan.',
      day: addDays(today, -6),
      how: 'BANK',
    },
    { kind: 'PLAN', text: 'Kan jag betala lite varje månad?', day: addDays(today, 30), amount: '50.00' },
  ] as const
  for (const [place, wish] of asked.entries()) {
    const invoice = late[place]
    const debt = invoice && debts.get(invoice.number)
    if (!invoice || !debt) continue
    const viewer = publicViewer(instance, invoice.reference, invoice.debtor.zip.replace(' ', ''))
    const amount =
      wish.kind === 'SAID_PAID' ? amountText(debt.balance_minor) : 'amount' in wish ? wish.amount : undefined
    await ask(
      context,
      viewer,
      { invoice: invoice.number },
      {
        body: { ...wish, ...(amount === undefined ? {} : { amount }) },
        key: `firm-${wish.kind}`,
        evidence: { language: 'sv', network: 'unknown' },
      },
    )
  }
}

/** A company is bankrupt, and a person wants to know what is held about them. */
async function enterWhatIsKnown(
  { context, instance, today, desk }: Today,
  waiting: readonly FirmInvoice[],
): Promise<void> {
  const company = ofKind(waiting, 'COMPANY')[0]
  if (company) {
    const debtor = await readDebtorOf(context.db, instance.id, company.number)
    const body = { kind: 'BANKRUPT', from: addDays(today, -3), source: 'Post- och Inrikes Tidningar' }
    await desk.tries('handler', `POST /admin/debtors/${debtor}/flags`, {
      body,
      key: 'firm-flag',
      orElse: 'flag_stands',
    })
  }
  const person = ofKind(waiting, 'PERSON').at(-1)
  if (!person) return
  const debtor = await readDebtorOf(context.db, instance.id, person.number)
  const body = {
    wish: 'ACCESS',
    cameOn: addDays(today, -2),
    cameBy: 'EMAIL',
    words: 'Jag vill veta vad ni har om mig.',
  }
  await desk.tries('support', `POST /admin/debtors/${debtor}/data-requests`, {
    body,
    key: 'firm-request',
    orElse: 'request_stands',
  })
}

const COLUMNS =
  'invoice_number;invoice_date;due_date;currency;debtor_type;debtor_name;email;address;zip;city;country;description;quantity;unit_price;vat_percent'

/** A file of eight rows, three of them wrong: a day that is none, a price that is none, and nobody to bill. */
async function importWithErrors({ today, desk }: Today): Promise<void> {
  const row = (index: number, change: { due?: string; name?: string; price?: string } = {}): string => {
    const name = change.name ?? `Prov Testlund ${index}`
    const due = change.due ?? addDays(today, 30)
    return `EX-${index};${today};${due};SEK;PERSON;${name};utkast-${index}@example.com;Provgatan ${index};11122;Stockholm;SE;El och elnät;1;${change.price ?? '640,00'};25`
  }
  const rows = [1, 2, 3, 4, 5].map((index) => row(index))
  const wrong = [row(6, { due: '2026-02-31' }), row(7, { price: 'sexhundra' }), row(8, { name: '' })]
  const file = { name: 'extra-fakturor.csv', text: [COLUMNS, ...rows, ...wrong].join('\r\n') }
  await desk.does('clerk', 'PUT /client/imports', { file })
}

/** One program of the creditor hears of everything. Another has moved: the first thing that is sent to it fails, and it hears no more. */
async function listenToEvents({ context: { config }, desk }: Today): Promise<void> {
  // Where nobody plays the creditors' programs there is nothing to send to.
  const at = config.webhookInwardOrigins[0]
  if (at === undefined) return
  for (const [name, path] of [
    ['books', '/receiver'],
    ['moved', '/receiver/gone'],
  ] as const) {
    const events = ['invoice.activated', 'invoice.closed', 'payment.completed', 'dispute.decided']
    const body = { address: `${at}${path}`, events }
    const made = await desk.does<{ id: string }>('creditor', 'POST /client/webhooks', {
      body,
      key: `firm-webhook-${name}`,
    })
    await desk.does('creditor', `POST /client/webhooks/${made.id}/test`, {
      body: {},
      key: `firm-webhook-test-${name}`,
    })
  }
}

/** Of the claims whose schedule has ended, the creditor wants one taken to the authority. */
async function goToCourt({ context, instance, desk }: Today): Promise<void> {
  const claim = await readWaitingClaim(context.db, instance.id)
  if (claim === undefined) return
  await desk.does('creditor', `POST /client/collection-batches/${claim}/apply-to-court`, {
    body: { confirm: true },
    key: 'firm-court',
  })
}
