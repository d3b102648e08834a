/** What stands behind one of a creditor's invoices, for its staff and programs. */
import { RIGHTS_OF_OPERATOR } from '@kvitt/domain/staff/roles.ts'
import { errorTextKey } from '@kvitt/domain/errors.ts'
import { actsOn } from '@kvitt/domain/invoices/acts.ts'
import { Amount } from '@kvitt/domain/money.ts'
import { readOutlook, type ComingStep } from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { presentEvents, presentInterest, readSteps, type OfficeInvoiceKey } from '../invoices/invoices.ts'
import { readInvoiceEvents, readStory } from '../ledger/ledger.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import { rightsOf, type ClientPrincipal } from '../staff/staff.ts'
import { readActedInvoice, readWrittenRows } from './details.queries.ts'

type Row = Pick<OfficeInvoiceKey, 'instance_id' | 'id'>

const keyOf = ({ instance_id: instanceId, id: invoiceId }: Row) => ({ instanceId, invoiceId })

export async function listRows({ db }: Pick<Context, 'db'>, row: Row) {
  const rows = await readWrittenRows(db, keyOf(row))
  return rows.map(({ line, name, description, quantity, unit, amountMinor, ...written }) => ({
    line,
    description: [name, description].filter(Boolean).join(' '),
    quantity,
    unit,
    unitPrice: written.unitPrice ?? null,
    vatPercent: written.vatPercent ?? null,
    vatReason: written.vatReason ?? null,
    amount: new Amount(amountMinor),
  }))
}

const presentComing = (steps: readonly ComingStep[]) =>
  steps.map(({ type, number, date, feeMinor, lastPayDate }) => {
    const fee = feeMinor === null ? null : new Amount(feeMinor)
    return { type, number, date, fee, lastPayDate }
  })

/** The steps to come, and what handing over today would make of them. */
export async function lookAhead(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { instance }: ClientPrincipal,
  row: Row,
) {
  const { steps, toCollection } = await readOutlook(db, keyOf(row), clock.today(instance.timeZone))
  return { steps: presentComing(steps), toCollection: toCollection && presentComing(toCollection) }
}

const TO_COME: readonly string[] = ['PLANNED', 'ON_HOLD', 'ASKED']

export async function listStory({ db }: Pick<Context, 'db'>, row: Row) {
  const { instanceId, invoiceId } = keyOf(row)
  const [steps, financial] = await Promise.all([
    readSteps(db, instanceId, invoiceId),
    readInvoiceEvents(db, instanceId, invoiceId),
  ])
  const planned = steps.flatMap(({ type, status, planned_date: plannedDate }) =>
    TO_COME.includes(status) && plannedDate !== null ? [{ type, plannedDate, status }] : [],
  )
  return { events: presentEvents({ steps, financial }), planned }
}

/** Every movement of the balance, in the order of the books; read as of one moment. */
export function explain({ db }: Pick<Context, 'db'>, row: Row) {
  const key = keyOf(row)
  return db.transaction(async (tx) => {
    const story = await readStory(tx, key.instanceId, { invoiceId: key.invoiceId })
    const lines = story.map((event) => ({
      date: event.bookedOn,
      valueDate: event.valueOn,
      type: event.kind,
      subType: event.cause.startsWith('waived:') ? 'WAIVED' : null,
      step: event.stepType,
      principal: new Amount(event.principalMinor),
      costs: new Amount(event.costsMinor),
      interest: new Amount(event.interestMinor),
      periods: presentInterest(event.periods),
    }))
    const sum = (part: 'principalMinor' | 'costsMinor' | 'interestMinor'): number =>
      story.reduce((all, event) => all + event[part], 0)
    const [principal, costs, interest] = [sum('principalMinor'), sum('costsMinor'), sum('interestMinor')]
    return {
      balances: {
        total: new Amount(principal + costs + interest),
        principal: new Amount(principal),
        costs: new Amount(costs),
        interest: new Amount(interest),
      },
      lines,
    }
  })
}

/** Every act, with what it does, what it costs, and why it is not open. */
export async function listActs(
  { db }: Pick<Context, 'db'>,
  principal: ClientPrincipal,
  { row, language }: { readonly row: Row; readonly language: Language },
) {
  const invoice = await readActedInvoice(db, keyOf(row))
  const ofRole = principal.kind === 'operator' ? RIGHTS_OF_OPERATOR[principal.role] : []
  return actsOn(invoice, rightsOf(principal), ofRole).map(({ act, refusal, creditorMinor, debtorMinor }) => ({
    act,
    isOpen: refusal === null,
    reason: refusal,
    message: refusal && textOf(language, errorTextKey(refusal) as TextKey),
    consequence: textOf(language, `office.act.${act}`),
    cost: { creditor: new Amount(creditorMinor), debtor: new Amount(debtorMinor) },
  }))
}
