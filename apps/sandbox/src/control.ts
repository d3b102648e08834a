import { isIP } from 'node:net'
import type { Bank } from './bank/bank.ts'
import { answerPayouts } from './bank/payout-orders.ts'
import type { Statements } from './bank/statements.ts'
import { readTransfer } from './bank/transfers.ts'
import { isCalendarDay } from './clock.ts'
import { FAILURE_HINTS, PENDING_HINTS } from './eid/eid.ts'
import type { Eid } from './eid/eid.ts'
import { attachmentPath } from './page/mailbox-part.ts'
import { plainNumber } from './eid/people.ts'
import { isSlow, MOST_SECONDS, SLOW } from './delays.ts'
import type { Delays } from './delays.ts'
import { FAULTS_OF, isFault, isFaultOf, isTarget, MISSING_AT, TARGETS } from './faults.ts'
import type { AllFaults } from './faults.ts'
import type { Mailbox } from './mail/mailbox.ts'
import { CONNECTED_WAYS } from './mail/recipients.ts'
import type { ConnectedWay, Recipients } from './mail/recipients.ts'
import { isAsynchronousError } from './mobile/mobile-order.ts'
import type { Phone } from './mobile/phone.ts'
import type { Refunds } from './mobile/refunds.ts'
import { findOrder, listAllOrders } from './orders.ts'
import type { Product } from './product.ts'
import type { SlowPayer } from './slow-payer.ts'
import { judge } from './verdict.ts'
import { answerJson, answerSentence, readJsonObject } from './serve.ts'
import type { Answer, Call } from './serve.ts'

const MOST_TIMES = 1_000
const MOST_DAYS = 3_660

export interface ControlParts {
  bank: Bank
  statements: Statements
  phone: Phone
  refunds: Refunds
  eid: Eid
  mailbox: Mailbox
  recipients: Recipients
  /** Fetches what lies in the print queue. */
  takePost(): Promise<void>
  allFaults: AllFaults
  delays: Delays
  slowPayer: SlowPayer
  product: Product
  signUrl(token: string): string
  report(text: string): void
}

type ControlCall = (
  parts: ControlParts,
  body: Record<string, unknown>,
  call: Call,
) => Answer | Promise<Answer>

const CALLS: Record<string, ControlCall> = {
  'GET /control/orders': listOrders,
  'GET /control/faults': ({ allFaults }) => answerJson(200, allFaults.armed()),
  'POST /control/faults': armFault,
  'DELETE /control/faults': ({ allFaults }) => {
    allFaults.clear()
    return answerJson(200, allFaults.armed())
  },
  'GET /control/delays': ({ delays }) => answerJson(200, delays.all()),
  'POST /control/delays': setDelay,
  'GET /control/refunds': ({ refunds }) => answerJson(200, refunds.all()),
  'GET /control/ledger': judgeLedger,
  'GET /control/mail': listMail,
  'GET /control/recipients': ({ recipients }) => answerJson(200, recipients.all()),
  'POST /control/recipients': connect,
  'POST /control/settle': settle,
  'GET /control/transfers': ({ statements }) =>
    answerJson(
      200,
      statements.transfers().map((one) => ({ ...one, end: statements.endOf(one.id) ?? null })),
    ),
  'POST /control/transfers': payByHand,
  'POST /control/payouts': async ({ product }, body) => answerPayouts(body, await product.today()),
  'POST /control/bank-files': ({ statements }) => statements.deliver(),
  'GET /control/clock': ({ product }) => product.forward('GET', '/api/demo/clock'),
  'POST /control/clock': moveClock,
  'POST /control/firm': ({ product }) => product.forward('POST', '/api/demo/firm'),
  'DELETE /control/guesses': ({ product }) => product.forward('DELETE', '/api/demo/guesses'),
}

/** The control calls of the demo and the tests; undefined when the path is none of them. */
export async function answerControl(parts: ControlParts, call: Call): Promise<Answer | undefined> {
  if (!call.path.startsWith('/control/')) return undefined
  const body = readJsonObject(call.body)
  if (body === undefined) return answerSentence(400, 'The body must be a JSON object.')
  const known = CALLS[`${call.method} ${call.path}`]
  if (known) return known(parts, body, call)
  const act = /^\/control\/orders\/([^/]+)\/(approve|decline|show)$/.exec(call.path)
  if (act?.[1] && act[2] && call.method === 'POST') return decide(parts, act[1], act[2], body)
  const isOtherMethod = act !== null || Object.keys(CALLS).some((name) => name.endsWith(` ${call.path}`))
  if (isOtherMethod) return answerSentence(405, `${call.method} is not offered at ${call.path}.`)
  return answerSentence(404, `There is no control call at ${call.path}.`)
}

/** Everything that was sent; `href` is where an attachment can be opened. */
async function listMail({ mailbox, takePost }: ControlParts): Promise<Answer> {
  await takePost()
  const messages = mailbox.messages().map(({ atMs, attachments, ...message }) => ({
    ...message,
    attachments: attachments.map((one, index) => ({ ...one, href: attachmentPath(message.id, index) })),
    at: new Date(atMs).toISOString(),
  }))
  return answerJson(200, messages)
}

/** Somebody answers late from now on: the payer decides later, or a counterparty's answer comes later. */
function setDelay({ delays }: ControlParts, body: Record<string, unknown>): Answer {
  const { target, seconds } = body
  if (!isSlow(target)) return answerSentence(400, `target must be one of ${SLOW.join(', ')}.`)
  const isNever = seconds === null && target === 'payer'
  const isTime = typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0
  if (!isNever && !(isTime && seconds <= MOST_SECONDS)) {
    return answerSentence(
      400,
      `seconds must be a whole number from 0 to ${MOST_SECONDS}, or null for a payer who never answers.`,
    )
  }
  delays.set(target, seconds)
  return answerJson(200, delays.all())
}

/** What was executed here against what stands in the product's books. */
async function judgeLedger({ bank, statements, phone, refunds, product }: ControlParts): Promise<Answer> {
  const answer = await product.ledger()
  if (!answer) return answerSentence(503, 'The product does not say how its books stand.')
  const { report, askedAtMs } = answer
  const ordered = { payments: bank.payments(), mobile: phone.orders(), refunds: refunds.all(), statements }
  const verdict = judge(report, ordered, askedAtMs)
  return answerJson(200, { ...verdict, sums: report.sums, checks: report.checks })
}

/** Somebody gets a digital mailbox or can take electronic invoices, or no longer does. */
function connect({ recipients }: ControlParts, body: Record<string, unknown>): Answer {
  const { way, address, connected = true } = body
  const isWay = (name: unknown): name is ConnectedWay => CONNECTED_WAYS.some((one) => one === name)
  if (!isWay(way)) return answerSentence(400, `way must be one of ${CONNECTED_WAYS.join(', ')}.`)
  if (typeof address !== 'string' || !/^[0-9A-Za-z:._-]{4,60}$/.test(address)) {
    return answerSentence(400, 'address must be a number such as "197909189230" or "0007:5599990040".')
  }
  if (typeof connected !== 'boolean') return answerSentence(400, 'connected must be true or false.')
  recipients.connect({ way, address, connected })
  return answerJson(200, recipients.all())
}

/** Somebody pays a bill by hand: the money comes with the bank's next file. */
async function payByHand({ statements }: ControlParts, body: Record<string, unknown>): Promise<Answer> {
  const wanted = readTransfer(body)
  return typeof wanted === 'string'
    ? answerSentence(400, wanted)
    : answerJson(200, await statements.send(wanted))
}

async function listOrders(parts: ControlParts, _: unknown, call: Call): Promise<Answer> {
  const orders = listAllOrders(parts, await parts.product.today())
  if (call.query.get('all') === 'true') return answerJson(200, orders)
  return answerJson(
    200,
    orders.filter(({ status }) => status === 'waiting'),
  )
}

/** The holder of the app identifies or not; `show` holds the order at a hint of what it waits for. */
async function decideEid(
  parts: ControlParts,
  id: string,
  act: string,
  body: Record<string, unknown>,
): Promise<Answer> {
  const { personalNumber, ipAddress, hintCode = act === 'decline' ? 'userCancel' : '' } = body
  const isPerson = typeof personalNumber === 'string' && /^[0-9A-Z]{6,20}$/.test(plainNumber(personalNumber))
  if (act === 'approve' && !isPerson) {
    return answerSentence(400, 'personalNumber must say who identifies, such as "199007292387".')
  }
  const isPlace = ipAddress === undefined || (typeof ipAddress === 'string' && isIP(ipAddress) !== 0)
  if (!isPlace) return answerSentence(400, 'ipAddress must be where the app is, such as "203.0.113.7".')
  const hints: readonly string[] = act === 'decline' ? FAILURE_HINTS : PENDING_HINTS
  if (act !== 'approve' && !(typeof hintCode === 'string' && hints.includes(hintCode))) {
    return answerSentence(400, `hintCode must be one of ${hints.join(', ')}.`)
  }
  const perform = () =>
    act === 'approve'
      ? parts.eid.approve(id, String(personalNumber), ipAddress)
      : parts.eid.decline(id, String(hintCode))
  if (act !== 'show' && parts.slowPayer.putOff(id, act, perform)) return putOff(parts, id)
  const isDone = act === 'show' ? parts.eid.show(id, String(hintCode)) : perform()
  const order = findOrder(parts, id, await parts.product.today())
  if (isDone && order) return answerJson(200, order)
  return answerSentence(409, `The order no longer waits for anybody: it is ${overOf(order?.status)}.`)
}

async function decide(
  parts: ControlParts,
  id: string,
  act: string,
  body: Record<string, unknown>,
): Promise<Answer> {
  if (parts.eid.find(id)) return decideEid(parts, id, act, body)
  if (act === 'show') return answerSentence(404, `There is no order of the electronic ID ${id}.`)
  const { hold = false, rejected = false, errorCode, date } = body
  if (typeof hold !== 'boolean') return answerSentence(400, 'hold must be true or false.')
  if (date !== undefined && !isCalendarDay(date))
    return answerSentence(400, 'date must be a day like "2026-11-20".')
  if (typeof rejected !== 'boolean') return answerSentence(400, 'rejected must be true or false.')
  const isError = typeof errorCode === 'string' && isAsynchronousError(errorCode)
  if (errorCode !== undefined && !isError) {
    return answerSentence(400, 'errorCode must be an error that Swish ends requests with, such as RF07.')
  }
  const perform = async () =>
    parts.bank.find(id)
      ? act === 'approve'
        ? parts.bank.sign(id, hold, date)
        : refuse(parts.bank, id, rejected)
      : act === 'approve'
        ? parts.phone.approve(id, await parts.product.today())
        : parts.phone.decline(id, errorCode)
  // What the bank or Swish itself decides is not the payer's, and not late.
  const isPayers = !rejected && errorCode === undefined && isKnown(parts, id)
  if (isPayers && parts.slowPayer.putOff(id, act, () => void perform())) return putOff(parts, id)
  const isDone = await perform()
  const order = findOrder(parts, id, await parts.product.today())
  if (!order) return answerSentence(404, `There is no order ${id}.`)
  if (isDone) return answerJson(200, order)
  return answerSentence(409, `The order no longer waits for the payer: it is ${overOf(order.status)}.`)
}

/** A dead order is still listed as waiting until the clock has looked at it. */
function overOf(status = 'over'): string {
  return status === 'waiting' ? 'expired' : status
}

function isKnown({ bank, phone }: ControlParts, id: string): boolean {
  return bank.find(id) !== undefined || phone.find(id) !== undefined
}

/** The payer has pressed, and it happens later. */
async function putOff(parts: ControlParts, id: string): Promise<Answer> {
  const order = findOrder(parts, id, await parts.product.today())
  return answerJson(202, order ?? {})
}

/** The payer declines, or the bank does not execute what the payer has signed. */
function refuse(bank: Bank, id: string, isByBank: boolean): boolean {
  return isByBank ? bank.reject(id) : bank.decline(id)
}

function armFault({ allFaults }: ControlParts, body: Record<string, unknown>): Answer {
  const { target, fault, times = 1 } = body
  if (!isTarget(target)) return answerSentence(400, `target must be one of ${TARGETS.join(', ')}.`)
  if (!isFaultOf(target, fault)) {
    const why = isFault(fault) ? `${fault} means nothing there: ${MISSING_AT[target]}. ` : ''
    return answerSentence(400, `${why}fault must be one of ${FAULTS_OF[target].join(', ')}.`)
  }
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1 || times > MOST_TIMES) {
    return answerSentence(400, `times must be a whole number from 1 to ${MOST_TIMES}.`)
  }
  allFaults.of(target).arm(fault, times)
  return answerJson(200, allFaults.armed())
}

async function settle(
  { bank, product, report }: ControlParts,
  body: Record<string, unknown>,
): Promise<Answer> {
  const { date = await product.today(), includeHeld = false } = body
  if (!isCalendarDay(date)) return answerSentence(400, 'date must be a day like "2026-11-20".')
  if (typeof includeHeld !== 'boolean') return answerSentence(400, 'includeHeld must be true or false.')
  const executed = bank.settle(date, includeHeld).map((payment) => payment.paymentId)
  report(`Settled up to ${date}: ${executed.length}`)
  return answerJson(200, { date, executed })
}

async function moveClock(
  { bank, statements, product, report }: ControlParts,
  body: Record<string, unknown>,
): Promise<Answer> {
  const { advanceDays } = body
  const isDays = typeof advanceDays === 'number' && Number.isInteger(advanceDays)
  if (!isDays || advanceDays < 0 || advanceDays > MOST_DAYS) {
    return answerSentence(400, `advanceDays must be a whole number from 0 to ${MOST_DAYS}.`)
  }
  if (advanceDays === 0) return product.forward('GET', '/api/demo/clock')
  // Day by day: what the bank executes on a day has to reach the product before the next one begins, and its file too.
  let answer = answerJson(200, {})
  for (let day = 1; day <= advanceDays && answer.status === 200; day += 1) {
    if (statements.hasNews()) await statements.deliver()
    answer = await product.forward('POST', '/api/demo/clock', { advanceDays: 1 })
    if (answer.status === 200) await bank.passTime()
  }
  if (answer.status === 200) report(`The clock moved ${advanceDays} days`)
  return answer
}
