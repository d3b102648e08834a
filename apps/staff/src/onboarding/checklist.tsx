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
export function Checklist({ onboarding }: { onboarding: Onboarding }) {
  const left = onboarding.steps.filter(({ isDone }) => !isDone)
  const done = onboarding.steps.filter(({ isDone }) => isDone)
  return (
    <div className={css.list}>
      <p className={css.count}>
        <progress
          className={css.progress}
          max={onboarding.steps.length}
          value={done.length}
          aria-label={t('view.onboarding')}
        />
        {t('onboarding.count', { done: done.length, all: onboarding.steps.length })}
      </p>
      <ol className={css.lines}>
        {left.map((line) => (
          <LineLeft key={line.step} line={line} />
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

function LineLeft({ line }: { line: Line }) {
  const { step, missing, isOptional } = line
  const what = missing.map((one) => t(`onboarding.lack.${one}`)).join(', ')
  return (
    <li className={css.line}>
      <h3>
        <a href={placeOf(line)}>{t(`onboarding.step.${step}`)}</a>
        {isOptional && <span className={css.optional}> · {t('onboarding.optional')}</span>}
      </h3>
      <p>{t(`onboarding.why.${step}`)}</p>
      <p className={css.missing}>{t('onboarding.missing', { what })}</p>
    </li>
  )
}
