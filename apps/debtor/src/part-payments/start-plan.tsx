import type { CallAbout, RefusalTo } from '@kvitt/domain/calls.ts'
import type { StartBody } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { ApiRefusal, type CallTo } from '@kvitt/ui/api.ts'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { say } from '@kvitt/ui/language/speak.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useMutation } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { api, claimCall, invoiceCall, reloadDebt } from '../calls.ts'
import { storageUrl } from '../instance.ts'
import type { Debt } from '../debts/debt.ts'
import { ActButton } from '../shell/act-button.tsx'
import { t } from '../text.ts'
import { planConfirmationHash, type PlanStartedState } from '../views.ts'
import type { Offer } from './plan-method.tsx'
import css from './start-plan.module.css'

/** Started for an invoice or for a claim, each by its own verb. */
type Start =
  | CallAbout<'invoices', 'PUT', '/part-payment/start'>
  | CallAbout<'collection-batches', 'POST', '/part-payment/start'>

/** Refusals after which the offers or the debt on the screen are no longer the server's. */
const OUTDATED: readonly RefusalTo<Start>[] = [
  'plan_changed',
  'plan_not_available',
  'already_part_payment',
  'nothing_to_pay',
  'payment_in_progress',
]

type StartProps = {
  debt: Debt
  offer: Offer
  offerVersion: string
  onOutdated: (why: string) => void
}

const settingOf = (offer: Offer) =>
  'partPaymentPlanSetting' in offer ? offer.partPaymentPlanSetting : offer.partPaymentAccountSetting

/** Was nothing started? Without an answer, or with a fault in place of one, that is not known. */
const isRefused = (error: Error): error is ApiRefusal => error instanceof ApiRefusal && error.status < 500

/** The call, with one key for as long as its outcome is unknown: a press after a lost answer starts no second plan. */
function useStart({ debt, offer, offerVersion, onOutdated }: StartProps) {
  const key = useRef<string>(undefined)
  return useMutation({
    mutationFn: (isTicked: boolean) => {
      key.current ??= crypto.randomUUID()
      const body: StartBody = {
        id: debt.id,
        type: offer.code,
        debtorLevel: 'SYSTEM_DEBTOR',
        annuity: offer.instalmentCount,
        addToExisting: settingOf(offer).addToExisting,
        // Without a box nobody has ticked anything, and nobody has left anything unticked (D-31).
        ...(isTicked && { agreementAccepted: true }),
        offerVersion,
      }
      const call: CallTo<Start> =
        debt.key.claimNumber === undefined
          ? invoiceCall('PUT', debt.key, '/part-payment/start')
          : claimCall('POST', debt.key, '/part-payment/start')
      return api.ask(call, { body, headers: { 'Idempotency-Key': key.current } })
    },
    onSuccess: () => {
      const { reference, zip, claimNumber } = debt.key
      const state: PlanStartedState = {
        type: claimNumber === undefined ? 'INVOICE' : 'COLLECTION_BATCH',
        variant: offer.variant,
        paymentReference: reference,
        zip,
      }
      void reloadDebt(debt.key)
      goTo(planConfirmationHash(debt.key), { state })
    },
    onError: (error) => {
      if (!isRefused(error)) return
      key.current = undefined
      showToast(error.message, true)
      if (OUTDATED.some((code) => code === error.code)) onOutdated(error.message)
    },
  })
}

/** What has to be agreed to, and the button; pressed too early it says what is missing (rule 21). */
export function StartPlan(props: StartProps) {
  const { offer } = props
  const setting = settingOf(offer)
  const needsAgreement = setting.debtorPortalLegalVisible
  const [isAccepted, setAccepted] = useState(false)
  const [isMissed, setMissed] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const id = useId()
  const start = useStart(props)
  const press = () => {
    if (start.isPending) return
    if (!needsAgreement || isAccepted) return start.mutate(isAccepted)
    setMissed(true)
    box.current?.focus()
  }
  const amount = formatMoney(minorOf(offer.monthlyAmount), offer.currency, currentLanguage())
  return (
    <div className={css.start}>
      <Documents offer={offer} hasTerms={setting.debtorPortalTermsVisible} />
      {needsAgreement && (
        <div>
          {isMissed && !isAccepted && (
            <p className={css.error} id={`${id}-error`}>
              <Icon name="alert" size={16} />
              <span>
                <span className="spoken">{say('form.error')}: </span>
                {t('plan.tick')}
              </span>
            </p>
          )}
          <label className={css.agree}>
            <input
              ref={box}
              type="checkbox"
              className={css.box}
              checked={isAccepted}
              aria-invalid={(isMissed && !isAccepted) || undefined}
              aria-describedby={isMissed && !isAccepted ? `${id}-error` : undefined}
              onChange={(event) => setAccepted(event.currentTarget.checked)}
            />
            <span>{offer.legalText}</span>
          </label>
        </div>
      )}
      {offer.documents.secci !== null && <p className={css.note}>{t('plan.withdraw')}</p>}
      {start.error && (
        <MessageBox
          tone={isRefused(start.error) ? 'bad' : 'warn'}
          role="alert"
          heading={t(isRefused(start.error) ? 'plan.not_started' : 'plan.unsure')}
        >
          <p>{isRefused(start.error) ? start.error.message : t('plan.no_answer')}</p>
        </MessageBox>
      )}
      <ActButton
        wide
        aria-disabled={(needsAgreement && !isAccepted) || undefined}
        busy={start.isPending ? t('plan.starting') : undefined}
        onClick={press}
      >
        {t('plan.start', { amount })}
      </ActButton>
    </div>
  )
}

/** A provider may leave its terms out here; the credit information is the law's (directive 2008/48/EC article 5). */
function Documents({ offer, hasTerms }: { offer: Offer; hasTerms: boolean }) {
  const { terms, secci } = offer.documents
  if (!hasTerms && secci === null) return null
  return (
    <p className={css.documents}>
      {hasTerms && (
        <a href={storageUrl(terms)} target="_blank" rel="noopener">
          {t('plan.terms')}
        </a>
      )}
      {secci !== null && (
        <a href={storageUrl(secci)} target="_blank" rel="noopener">
          {t('part.secci')}
        </a>
      )}
    </p>
  )
}
