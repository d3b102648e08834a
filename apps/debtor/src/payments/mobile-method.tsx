import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { swishTokenOf } from '@kvitt/domain/payments/swish.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { ButtonLink } from '@kvitt/ui/components/button-link.tsx'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { Spinner } from '@kvitt/ui/feedback/spinner.tsx'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { api, debtCall, reloadDebt } from '../calls.ts'
import { latePage } from '../late-page.tsx'
import { isPeeking, type DebtKey } from '../session.ts'
import { AnswerLink } from '../shell/answer-link.tsx'
import { isMobile } from '../shell/device.ts'
import { t } from '../text.ts'
import bankCss from './bank-method.module.css'
import type { MethodProps } from './bank-method.tsx'
import css from './mobile-method.module.css'
import { PayButton } from './pay-button.tsx'
import { returnHash, startPayment } from './start-payment.ts'

const QrCode = latePage(() => import('@kvitt/ui/values/qr-code.tsx'), {
  waiting: <Skeleton height={12.5} />,
})

/** Specification section 9. */
const POLL_MS = 5000
const CODE_SIZE = 200

const isOver = ({ status }: PaymentAnswer): boolean => status === 'COMPLETED' || status === 'FAILED'

/** Asks for the request until it ends; the provider is asked, not only our own books. */
function useRequest(key: DebtKey, started: PaymentAnswer) {
  return useQuery({
    queryKey: ['mobile-payment', key.reference, started.id],
    queryFn: async ({ signal }) => {
      const all = await api.ask(debtCall(isPeeking() ? 'GET' : 'PUT', key, '/payment-requests/status'), {
        signal,
      })
      return all.find(({ id }) => id === started.id) ?? started
    },
    initialData: started,
    staleTime: 0,
    refetchOnMount: false,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : POLL_MS),
  }).data
}

/** Paid in the payer's phone: opened on it, or scanned from another screen. */
export default function MobileMethod({
  debt,
  begun,
  onOutdated,
}: MethodProps & { begun: PaymentAnswer | undefined }) {
  const { key, balanceMinor, currency, today } = debt
  const [request, setRequest] = useState(begun)
  const amount = formatMoney(balanceMinor, currency, currentLanguage())
  const open = async () => {
    const wish = { key, option: 'pay-now', paymentDate: today, amountMinor: balanceMinor } as const
    const payment = await startPayment({ ...wish, provider: 'SWISH' })
    setRequest(payment)
    const link = appLinkOf(payment)
    if (link && isMobile()) location.assign(link)
    return false
  }
  if (request) {
    return <Request key={request.id} debtKey={key} started={request} onRetry={() => setRequest(undefined)} />
  }
  return (
    <>
      <p>{t(isMobile() ? 'mobile.will_open' : 'mobile.will_scan')}</p>
      <PayButton open={open} downText="mobile.down" onOutdated={onOutdated}>
        {t('mobile.button', { amount })}
      </PayButton>
      <p className={bankCss.note}>
        <Icon name="outside" size={16} />
        {t('mobile.note')}
      </p>
    </>
  )
}

/** The link that opens the app; one without a token opens nothing and is not followed (threat redirect.external). */
function appLinkOf({ externalLink }: PaymentAnswer): string | undefined {
  if (externalLink === null) return undefined
  if (swishTokenOf(externalLink)) return externalLink
  // oxlint-disable-next-line no-console -- the log line that the specification asks for
  console.warn('No token found in externalLink')
  return undefined
}

/**
 * When the request has ended, a claim goes to where its payer is sent back to, and the page of an invoice shows it as
 * paid (specification section 4); an invoice that was not paid stays where it can be.
 */
function useEnd(key: DebtKey, payment: PaymentAnswer): void {
  const end = useEffectEvent(() => {
    if (key.claimNumber !== undefined) {
      return goTo(returnHash({ key, provider: 'SWISH', option: payment.paymentOption }))
    }
    if (payment.status !== 'COMPLETED') return
    showToast(t('payment.thank_you'))
    void reloadDebt(key)
  })
  const hasEnded = isOver(payment)
  useEffect(() => {
    if (hasEnded) end()
  }, [hasEnded])
}

type RequestProps = { debtKey: DebtKey; started: PaymentAnswer; onRetry: () => void }

function Request({ debtKey, started, onRetry }: RequestProps) {
  const payment = useRequest(debtKey, started)
  const { status, outcomeUnknown } = payment
  useEnd(debtKey, payment)
  if (status === 'FAILED') {
    return (
      <MessageBox tone="bad" role="alert" heading={t('payment.failed')}>
        <p>{t('confirmation.failed')}</p>
        <Button look="text" onClick={onRetry}>
          {t('login.retry')}
        </Button>
        <AnswerLink article="swish-trouble" text="support.swish" />
      </MessageBox>
    )
  }
  const link = appLinkOf(payment)
  return (
    <div className={css.request}>
      {/* Whoever only looks would pay with it. */}
      {isPeeking()
        ? null
        : isMobile()
          ? link && (
              <ButtonLink wide href={link}>
                {t('mobile.open_app')}
              </ButtonLink>
            )
          : payment.qrCode && (
              <div className={css.scan}>
                <div className={css.plate}>
                  <QrCode text={payment.qrCode} size={CODE_SIZE} label={t('mobile.code')} />
                </div>
                <p className={css.how}>{t('payment.scan_qr')}</p>
              </div>
            )}
      <p className={css.live}>
        <Spinner look="brand" />
        <span role="status">{t(outcomeUnknown ? 'confirmation.unknown' : 'mobile.waiting')}</span>
      </p>
    </div>
  )
}
