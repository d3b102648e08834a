/**
 * What steps of the collection tell debtors. A night only queues it, with the step; text and letter are made when it
 * is sent, if there still is anything to say.
 */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database.ts'
import { textOf } from '../platform/texts.ts'
import { composeMail, type MailKind } from './compose-mail.ts'
import { languageOfCountry, letterhead } from './letterhead.ts'
import { readAddressee, type StepMail } from './outbox.queries.ts'
import { phoneOf } from './sms.ts'
import { NotSent } from './smtp.ts'
import { insertStepMailRows, readStepState, type StepStateRow } from './step-mail.queries.ts'

/** Steps that a debtor hears of. A notice of the due date costs nothing and is no letter; the reminder follows it. */
const NEWS: Readonly<Record<string, { readonly kind: MailKind; readonly onPaper: boolean }>> = {
  EXPIRED_NOTIFICATION: { kind: 'expired_notice', onPaper: false },
  REMINDER: { kind: 'reminder', onPaper: true },
  COLLECTION_NOTIFICATION: { kind: 'collection_notice', onPaper: true },
  COLLECTION_CLAIM: { kind: 'demand', onPaper: true },
}

export type PerformedStep = {
  readonly stepId: string
  readonly type: string
  readonly debtorId: string
  readonly debt: Debt
}

/** Queues what performed steps tell, in the transaction that performs them. */
export async function queueStepMail(
  tx: Transaction,
  instanceId: string,
  steps: readonly PerformedStep[],
): Promise<void> {
  const news = steps.flatMap(({ type, ...step }) => {
    const told = NEWS[type]
    return told ? [{ ...step, ...told }] : []
  })
  await insertStepMailRows(tx, instanceId, news)
}

/** A letter as a PDF. `name` is what it is saved as, `title` its heading without a number. */
export type DrawnLetter = { readonly name: string; readonly title: string; readonly bytes: Uint8Array }

/** The letter of a reminder or a demand by its step; undefined when there is none. */
export type DrawLetter = (step: {
  readonly instanceId: string
  readonly stepId: string
  readonly debt: Debt
}) => Promise<DrawnLetter | undefined>

export type Prepared = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string | null
  readonly letter: DrawnLetter | undefined
}

/** Why a message is not sent now: `later` asks again, the rest is for good. */
export type Held = 'later' | 'disputed' | 'paused' | 'over' | 'no way'

/** What became of what a step was about: is there still something to say? Undefined: yes. */
export function heldBy(
  state: Pick<StepStateRow, 'invoice_status' | 'claim_status' | 'balance_minor'>,
): Exclude<Held, 'no way'> | undefined {
  const status = state.claim_status ?? state.invoice_status
  if (status === 'DISPUTED') return 'disputed'
  if (status === 'PAUSED') return 'paused'
  // Signed and not settled: either it will be paid in a moment, or the message goes after all.
  if (status === 'PENDING_AUTHORIZATION') return 'later'
  const isOpen = status === 'ACTIVATED' || status === 'OPEN' || status === 'RESUME'
  return isOpen && state.balance_minor > 0 ? undefined : 'over'
}

type PrepareContext = Pick<Context, 'db' | 'config' | 'log'> & { readonly drawLetter: DrawLetter }

/** Composes a message about a step. Throws NotSent when it cannot be. */
export async function prepareStepMail(context: PrepareContext, mail: StepMail): Promise<Prepared | Held> {
  const { instance_id: instanceId, step_id: stepId } = mail
  const state = await readStepState(context.db, instanceId, stepId)
  const held = heldBy(state)
  if (held) return held
  const debt: Debt = state.invoice_id ? { invoiceId: state.invoice_id } : { claimId: state.claim_id ?? '' }
  const who = await readAddressee(context.db, instanceId, debt)
  const language = languageOfCountry(who.debtor_country)
  const head = letterhead(context, who)
  if (mail.channel === 'SMS') {
    const to = phoneOf(who.phone ?? '', who.debtor_country)
    const text = textOf(language, 'mail.sms', { instance: head.name, url: head.portalUrl })
    return to === undefined ? 'no way' : { to, subject: '', text, html: null, letter: undefined }
  }
  const kind = mail.kind as MailKind
  const letter = kind === 'expired_notice' ? undefined : await draw(context, { instanceId, stepId, debt })
  if (mail.channel === 'LETTER') {
    const to = addressOf(state)
    return { to, subject: letter?.title ?? '', text: to, html: null, letter }
  }
  if (!who.email) throw new NotSent('no address', true)
  const about = textOf(language, 'claimId' in debt ? 'mail.about_claim' : 'mail.about_invoice', {
    number: who.number,
  })
  const params = { name: who.name, about, creditor: who.creditor_name }
  return { to: who.email, letter, ...composeMail(kind, language, params, head) }
}

async function draw(
  { drawLetter, log }: PrepareContext,
  step: Parameters<DrawLetter>[0],
): Promise<DrawnLetter> {
  const letter = await drawLetter(step).catch((error: unknown) => {
    log.error({ err: error, stepId: step.stepId }, 'letter not drawn')
    throw new NotSent('not drawn', false)
  })
  if (!letter) throw new NotSent('no letter', true)
  return letter
}

/** The lines of an envelope; the country when it is another than the creditor's. */
function addressOf(state: StepStateRow): string {
  if (!state.address?.trim() || !state.city?.trim()) throw new NotSent('no address', true)
  const abroad = state.country === state.creditor_country ? null : state.country
  const lines = [state.debtor_name, state.address, state.address2, `${state.zip} ${state.city}`, abroad]
  return lines.filter((line) => line?.trim()).join('\n')
}
