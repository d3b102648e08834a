import type { LoginWay } from '@kvitt/domain/electronic-id/order.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { ButtonLink } from '@kvitt/ui/components/button-link.tsx'
import { MessageBox } from '@kvitt/ui/components/message-box.tsx'
import { Skeleton } from '@kvitt/ui/components/skeleton.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { lazy, Suspense, useEffect, useState } from 'react'
import { queries } from '../calls.ts'
import { startIdentity, type InvoiceKey } from '../session.ts'
import { t } from '../text.ts'
import { dashboardHash, invoiceHash } from '../views.ts'
import { appLink, isMobile, returnAddress } from '../shell/device.ts'
import css from './eid-panel.module.css'
import { runOrder, type EidOrder } from './eid-order.ts'
import { EidSteps } from './eid-steps.tsx'

const QrCode = lazy(async () => ({
  default: (await import('@kvitt/ui/components/qr-code.tsx')).QrCode,
}))

/** Larger than the 120 that the specification asks for at least, where there is room. */
const CODE_SIZE = 216

type EidProps = {
  /** What was asked for before logging in: the way goes there, else to the list. */
  wanted: InvoiceKey | undefined
  /** The order that this page was opened again for; empty for a new one. */
  orderRef: string
  onCancel: () => void
}

/** One order, from its start to its end or to the end of whoever asks. */
function useEid({ wanted, way, resumed }: AttemptProps): EidOrder {
  const [order, setOrder] = useState<EidOrder>({ phase: 'starting' })
  const { reference, zip, invoiceNumber } = wanted ?? {}
  useEffect(() => {
    const ended = new AbortController()
    void runOrder({ way, resumed, signal: ended.signal, show: setOrder }).then((token) => {
      if (!token || ended.signal.aborted) return
      queries.clear()
      startIdentity(token.token, token.type)
      const key = reference && zip ? { reference, zip, invoiceNumber } : undefined
      goTo(key ? invoiceHash(key) : dashboardHash(), { replace: true })
    })
    return () => ended.abort()
  }, [way, resumed, reference, zip, invoiceNumber])
  return order
}

/** Logging in with an electronic ID: in the app on this device, or with a code for another one. */
export default function EidPanel({ wanted, orderRef, onCancel }: EidProps) {
  const [attempt, setAttempt] = useState<{ number: number; way: LoginWay }>(() => ({
    number: 0,
    way: orderRef !== '' || isMobile() ? 'AUTO_START' : 'QR_CODE',
  }))
  const { number, way } = attempt
  return (
    <Attempt
      // Another attempt is another order: the one before is cancelled and nothing of it stays on the screen.
      key={number}
      wanted={wanted}
      way={way}
      resumed={number === 0 && orderRef !== '' ? orderRef : undefined}
      onRetry={() => setAttempt({ number: number + 1, way })}
      onOtherWay={() => setAttempt({ number: number + 1, way: way === 'QR_CODE' ? 'AUTO_START' : 'QR_CODE' })}
      onCancel={onCancel}
    />
  )
}

type AttemptProps = Pick<EidProps, 'wanted' | 'onCancel'> & {
  way: LoginWay
  /** An order to go on with instead of a new one. */
  resumed: string | undefined
  onRetry: () => void
  onOtherWay: () => void
}

function Attempt(props: AttemptProps) {
  const { wanted, way, resumed, onRetry, onOtherWay, onCancel } = props
  const order = useEid(props)
  if (order.phase === 'failed') return <Failed order={order} onRetry={onRetry} onCancel={onCancel} />
  const isCode = way === 'QR_CODE'
  return (
    <div className={css.panel}>
      {isCode && <Code order={order} />}
      {!isCode && resumed === undefined && <OpenApp order={order} wanted={wanted} />}
      <p className={css.live}>
        <span className={css.ring} />
        <span role="status">{liveText(order, way)}</span>
      </p>
      <Button wide look="secondary" icon={isCode ? 'id-card' : 'mobile'} onClick={onOtherWay}>
        {t(isCode ? 'eid.on_this_device' : 'eid.other_device')}
      </Button>
      <p className={css.cancel}>
        <Button look="text" onClick={onCancel}>
          {t('login.cancel')}
        </Button>
      </p>
    </div>
  )
}

/** One sentence; it changes with the state and never with a question in between. */
function liveText(order: EidOrder, way: LoginWay): string {
  if (order.phase === 'finishing') return t('eid.finishing')
  if (order.phase === 'pending' && order.message) return order.message
  return t(way === 'QR_CODE' ? 'eid.start_app' : 'eid.press_open')
}

function Code({ order }: { order: EidOrder }) {
  const text = order.phase === 'pending' ? order.qrCode : undefined
  const isRead = order.phase === 'finishing' || text === null
  return (
    <div className={css.code}>
      <div className={css.plate} data-read={isRead || undefined}>
        <Suspense fallback={<Skeleton height={13.5} />}>
          {text ? (
            <QrCode text={text} size={CODE_SIZE} label={t('eid.code')} />
          ) : (
            <span className={css.blank}>{isRead && t('eid.code_read')}</span>
          )}
        </Suspense>
      </div>
      <EidSteps order={order} />
    </div>
  )
}

function OpenApp({ order, wanted }: { order: EidOrder; wanted: InvoiceKey | undefined }) {
  if (order.phase !== 'pending' || !order.autoStartToken) return <Skeleton height={3} />
  const query = {
    orderRef: order.orderRef,
    paymentReference: wanted?.reference ?? '',
    zip: wanted?.zip ?? '',
    invoiceNumber: wanted?.invoiceNumber ?? '',
  }
  const back = returnAddress(navigator.userAgent, location.origin, query)
  return (
    <ButtonLink
      wide
      icon="id-card"
      href={appLink(order.autoStartToken, back, isMobile())}
      referrerPolicy="origin"
    >
      {t('eid.open_app')}
    </ButtonLink>
  )
}

type FailedProps = {
  order: Extract<EidOrder, { phase: 'failed' }>
  onRetry: () => void
  onCancel: () => void
}

/** The cause in the identity provider's words; that somebody changed their mind is no error. */
function Failed({ order, onRetry, onCancel }: FailedProps) {
  return (
    <MessageBox
      tone={order.isCancelled ? 'info' : 'bad'}
      role="alert"
      heading={order.isCancelled ? t('eid.cancelled') : t('login.error_heading')}
    >
      {!order.isCancelled && <p className={css.subHeader}>{t('eid.not_logged_in')}</p>}
      <p>{order.message ?? t('server_down.text')}</p>
      <p className={css.ways}>
        <Button look="text" onClick={onRetry}>
          {t('login.retry')}
        </Button>
        <Button look="text" onClick={onCancel}>
          {t('login.cancel')}
        </Button>
      </p>
    </MessageBox>
  )
}
