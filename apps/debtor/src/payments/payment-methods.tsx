import { isReturned, type PaymentMethod, type Promotion } from '@kvitt/domain/payments/payment.ts'
import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Dotted } from '@kvitt/ui/values/dotted.tsx'
import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode, type RefObject } from 'react'
import { methodsQuery } from '../debts/part-calls.ts'
import { latePage, useAhead } from '../late-page.tsx'
import { t, type MessageId } from '../text.ts'
import { withMoreWords } from '../words.ts'
import { BankMethod, type MethodProps } from './bank-method.tsx'
import type { Debt } from '../debts/debt.ts'
import { isOpenRequest } from './open-request.ts'
import css from './payment-methods.module.css'

const MobileMethod = latePage(() => withMoreWords(import('./mobile-method.tsx')), {
  waiting: <Skeleton height={6} />,
})
const TransferMethod = latePage(() => withMoreWords(import('./transfer-method.tsx')), {
  waiting: <Skeleton height={15} />,
})
const NoMethods = latePage(() => withMoreWords(import('./no-methods.tsx')), {
  waiting: <Skeleton height={15} />,
})
const ReturnedPayment = latePage(() => withMoreWords(import('./returned-payment.tsx')))
const AHEAD = [MobileMethod, TransferMethod]

type Look = { readonly icon: IconName; readonly title: MessageId; readonly subs: readonly MessageId[] }

/** In the order in which they are offered: what is quick and free before what costs. */
const METHODS: Readonly<Record<PaymentMethod, Look>> = {
  DIRECT_PAYMENT_BANK: {
    icon: 'bank',
    title: 'payment.direct_bank',
    subs: ['method.bank_sub', 'method.free'],
  },
  DIRECT_PAYMENT_MOBILE: {
    icon: 'mobile',
    title: 'payment.swish',
    subs: ['method.mobile_sub', 'method.free'],
  },
  BANK_TRANSFER: {
    icon: 'transfer',
    title: 'payment.bank_transfer',
    subs: ['method.transfer_sub', 'method.free'],
  },
  PART_PAYMENT_PLAN: { icon: 'parts', title: 'part.plan', subs: ['method.plan_sub'] },
  PART_PAYMENT_ACCOUNT: { icon: 'parts', title: 'tag.part_payment_account', subs: ['method.plan_sub'] },
}

const ORDER = Object.keys(METHODS)

const REASONS: Readonly<Record<string, MessageId>> = {
  payment_in_progress: 'method.reason_in_progress',
  provider_unavailable: 'method.reason_unavailable',
  service_provider_unavailable: 'method.reason_unavailable',
}

type Offer = {
  readonly code: PaymentMethod
  readonly enabled: boolean
  readonly reasonCode: string | null
  readonly promotion: Promotion | null
}

/** Paying in parts is another feature: the page says what it looks like. */
type Plans = { renderPlans: (props: MethodProps & { kind: 'plans' | 'account' }) => ReactNode }

type MethodsProps = Plans & {
  debt: Debt
  /** Those that have been started. */
  payments: readonly PaymentAnswer[]
  /** The bank is being asked whether something has been signed already. */
  isAsking: boolean
  headingRef: RefObject<HTMLHeadingElement | null>
  onNeedTime: () => void
  onChanged: () => void
}

/** A card per way to pay; the chosen one opens. What cannot be used now stays visible with its reason. */
export function PaymentMethods(props: MethodsProps) {
  const { debt, payments, isAsking, headingRef, onNeedTime, onChanged } = props
  const methods = useQuery(methodsQuery(debt.key))
  useAhead(AHEAD)
  const [chosen, setChosen] = useState<PaymentMethod>()
  const [notice, setNotice] = useState<string>()
  const offers: Offer[] = (methods.data ?? [])
    .map((m) => (typeof m === 'string' ? { code: m, enabled: true, reasonCode: null, promotion: null } : m))
    .filter((m) => m.code in METHODS)
    .sort((one, other) => ORDER.indexOf(one.code) - ORDER.indexOf(other.code))
  const outdated = (reason: string) => {
    setNotice(reason)
    onChanged()
  }
  const request = payments.find((payment) => isOpenRequest(payment, debt))
  const returned = payments.find(isReturned)
  const usable = offers.filter((offer) => offer.enabled)
  const begun = request && usable.find(({ code }) => code === 'DIRECT_PAYMENT_MOBILE')
  const current = chosen ?? (begun ?? usable[0])?.code

  return (
    <div className={css.area}>
      <h2 id="payment-heading" ref={headingRef} tabIndex={-1}>
        {t(methods.data && offers.length === 0 ? 'payment.method' : 'payment.choose_method')}
      </h2>
      {returned && <ReturnedPayment payment={returned} />}
      {notice && (
        <MessageBox tone="info" role="alert">
          <p>{notice}</p>
        </MessageBox>
      )}
      {methods.error && !methods.data ? (
        <MessageBox tone="bad" role="alert" heading={t('method.load_failed')}>
          <Button look="text" onClick={() => void methods.refetch()}>
            {t('login.retry')}
          </Button>
        </MessageBox>
      ) : methods.isPending || isAsking ? (
        <div className={css.cards} aria-busy="true">
          <Skeleton height={16.5} />
          <Skeleton height={16} />
        </div>
      ) : offers.length === 0 ? (
        <NoMethods debt={debt} />
      ) : (
        <fieldset className={css.cards} aria-labelledby="payment-heading">
          {offers.map((offer) => (
            <MethodCard
              key={offer.code}
              offer={offer}
              isChosen={offer.code === current}
              onChoose={() => setChosen(offer.code)}
            >
              <MethodBody
                code={offer.code}
                debt={debt}
                request={request}
                renderPlans={props.renderPlans}
                onOutdated={outdated}
              />
            </MethodCard>
          ))}
        </fieldset>
      )}
      <button type="button" className={css.need} onClick={onNeedTime}>
        <Icon name="help" size={20} />
        <span>{t('payment.cannot_pay')}</span>
        <Icon name="chevron-right" size={20} />
      </button>
    </div>
  )
}

type BodyProps = MethodProps & Plans & { code: PaymentMethod; request: PaymentAnswer | undefined }

/** What opens inside the chosen card. */
function MethodBody({ code, request, renderPlans, ...props }: BodyProps) {
  switch (code) {
    case 'DIRECT_PAYMENT_BANK':
      return <BankMethod {...props} />
    case 'DIRECT_PAYMENT_MOBILE':
      return <MobileMethod {...props} begun={request} />
    case 'BANK_TRANSFER':
      return <TransferMethod debt={props.debt} />
    case 'PART_PAYMENT_PLAN':
    case 'PART_PAYMENT_ACCOUNT':
      return renderPlans({ ...props, kind: code === 'PART_PAYMENT_PLAN' ? 'plans' : 'account' })
  }
}

type CardProps = { offer: Offer; isChosen: boolean; onChoose: () => void; children: ReactNode }

function MethodCard({ offer, isChosen, onChoose, children }: CardProps) {
  const { icon, title, subs } = METHODS[offer.code]
  // On paper the transfer is the way to pay, so its details are there before anyone chooses it.
  const isPrinted = offer.code === 'BANK_TRANSFER'
  const text = (
    <>
      <span className={css.text}>
        <span className={css.title}>{t(title)}</span>{' '}
        {offer.enabled && offer.promotion && (
          <span className={css.chip}>
            {t(offer.promotion === 'NEW' ? 'method.new' : 'method.recommended')}
          </span>
        )}
        <span className={css.sub}>
          {offer.enabled ? (
            <Dotted parts={subs.map((sub) => t(sub))} />
          ) : (
            t(REASONS[offer.reasonCode ?? ''] ?? 'method.reason_other')
          )}
        </span>
      </span>
      <Icon name={icon} />
    </>
  )
  if (!offer.enabled) {
    return (
      <div className={css.card} data-off>
        <div className={css.head}>
          <span className={css.radio} />
          {text}
        </div>
      </div>
    )
  }
  return (
    <div className={css.card} data-chosen={isChosen || undefined} data-printed={isPrinted || undefined}>
      <label className={css.head}>
        <input
          type="radio"
          className={css.radio}
          name="method"
          value={offer.code}
          checked={isChosen}
          onChange={onChoose}
        />
        {text}
      </label>
      {(isChosen || isPrinted) && <div className={css.details}>{children}</div>}
    </div>
  )
}
