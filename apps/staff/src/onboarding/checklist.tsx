import { OfficeIcon } from '@kvitt/office/parts/office-icon.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { t } from '../text.ts'
import css from './checklist.module.css'
import type { Line, Onboarding } from './onboarding-calls.ts'

/** Where what is missing of a step is entered. */
function placeOf({ step, missing }: Line): string {
  switch (step) {
    case 'details':
    case 'look':
    case 'logins':
    case 'counterparties':
    case 'texts':
      return hashOf({ view: 'instance-providers' }, { at: step })
    case 'accounts':
      // The creditors' accounts stand with each creditor.
      return missing.includes('funds_account') || missing.length === 0
        ? hashOf({ view: 'instance-providers' }, { at: step })
        : hashOf({ view: 'clients' })
    case 'second_person':
      return hashOf({ view: 'users' })
    case 'creditor':
    case 'numbers':
      return hashOf({ view: 'clients' })
    case 'plans':
      return hashOf({ view: 'part-payment-plans' })
    case 'invoice_sent':
      return hashOf({ view: 'invoices' })
    case 'invoice_paid':
      return hashOf({ view: 'payments' })
    case 'bank_file':
      return hashOf({ view: 'payment-batches' })
  }
}

/** How far a provider is: what is left first, each with its page, its reason and what is missing; what is done is folded. */
export function Checklist({ onboarding, heading }: { onboarding: Onboarding; heading: 'h2' | 'h3' }) {
  const { left, done } = splitSteps(onboarding)
  return (
    <div className={css.list}>
      <Progress onboarding={onboarding} />
      <ol className={css.lines}>
        {left.map((line) => (
          <LineLeft key={line.step} line={line} heading={heading} />
        ))}
      </ol>
      {done.length > 0 && (
        <Disclosure title={t('onboarding.done_lines', { count: done.length })} look="text">
          <ul className={css.lines}>
            {done.map((line) => (
              <li key={line.step} className={css.done}>
                <OfficeIcon name="check" />
                <a href={placeOf(line)}>{t(`onboarding.step.${line.step}`)}</a>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  )
}

/** The same for a provider that works already: how far it is and what is left, each in a word. */
export function ChecklistBrief({ onboarding }: { onboarding: Onboarding }) {
  return (
    <div className={css.list}>
      <Progress onboarding={onboarding} />
      <ul className={css.words}>
        {splitSteps(onboarding).left.map((line) => (
          <li key={line.step}>
            <a href={placeOf(line)}>{t(`onboarding.step.${line.step}`)}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Whether an invoice has been paid: then the figures are what a manager comes for. */
export function hasBeenPaid({ steps }: Onboarding): boolean {
  return steps.some(({ step, isDone }) => step === 'invoice_paid' && isDone)
}

function splitSteps({ steps }: Onboarding): {
  readonly left: readonly Line[]
  readonly done: readonly Line[]
} {
  return { left: steps.filter(({ isDone }) => !isDone), done: steps.filter(({ isDone }) => isDone) }
}

function Progress({ onboarding }: { onboarding: Onboarding }) {
  const done = splitSteps(onboarding).done.length
  const all = onboarding.steps.length
  return (
    <p className={css.count}>
      <progress className={css.progress} max={all} value={done} aria-label={t('view.onboarding')} />
      {t('onboarding.count', { done, all })}
    </p>
  )
}

function LineLeft({ line, heading: Heading }: { line: Line; heading: 'h2' | 'h3' }) {
  const { step, missing, isOptional } = line
  const what = missing.map((one) => t(`onboarding.lack.${one}`)).join(', ')
  return (
    <li className={css.line}>
      <Heading>
        <a href={placeOf(line)}>{t(`onboarding.step.${step}`)}</a>
        {isOptional && <span className={css.optional}> · {t('onboarding.optional')}</span>}
      </Heading>
      <p>{t(`onboarding.why.${step}`)}</p>
      <p className={css.missing}>{t('onboarding.missing', { what })}</p>
    </li>
  )
}
