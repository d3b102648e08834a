import type { LoginWay } from '@kvitt/domain/electronic-id/order.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { ButtonLink } from '@kvitt/ui/components/button-link.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { Spinner } from '@kvitt/ui/feedback/spinner.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { useEffect, useRef, useState } from 'react'
import { leaveSession, queries } from '../calls.ts'
import { latePage } from '../late-page.tsx'
import { useInstance } from '../instance.ts'
import { isIdentified, readStanding, startIdentity, type InvoiceKey } from '../session.ts'
import { t } from '../text.ts'
import { dashboardHash, debtHash, homeHash, invoiceHash } from '../views.ts'
import { AnswerLink } from '../shell/answer-link.tsx'
import { PhoneSentence } from '../shell/phone-sentence.tsx'
import { appLink, isMobile, returnAddress } from '../shell/device.ts'
import css from './eid-panel.module.css'
import { cancelOrder, runOrder, type EidOrder } from './eid-order.ts'
import { EidSteps } from './eid-steps.tsx'

const QrCode = latePage(() => import('@kvitt/ui/values/qr-code.tsx'), {
  waiting: <Skeleton height={13.5} />,
})

/** Larger than the 120 that the specification asks for at least, where there is room. */
const CODE_SIZE = 216

type EidProps = {
  /** What was asked for before logging in: the way goes there, else to the list. */
  wanted: InvoiceKey | undefined
  /** The order that this page was opened again for; empty for a new one. */
  orderRef: string
  /** Back to the choice of ways; none when this is the only one. */
  onCancel: (() => void) | undefined
}

/** One order, from its start to its end or to the end of whoever asks. */
function useEid({ wanted, way, resumed, isAgreed }: AttemptProps): EidOrder {
  const [order, setOrder] = useState<EidOrder>({ phase: 'starting' })
  const { reference, zip, invoiceNumber } = wanted ?? {}
  useEffect(() => {
    const ended = new AbortController()
    void runOrder({ way, resumed, isAgreed, signal: ended.signal, show: setOrder }).then((token) => {
      if (!token || ended.signal.aborted) return
      queries.clear()
      startIdentity(token.token, token.type)
      const key = reference ? { reference, zip: zip ?? '', invoiceNumber } : undefined
      goTo(key ? invoiceHash(key) : dashboardHash(), { replace: true })
    })
    return () => ended.abort()
  }, [way, resumed, isAgreed, reference, zip, invoiceNumber])
  return order
}

/** Logging in with an electronic ID: in the app on this device, or with a code for another one. */
export default function EidPanel({ wanted, orderRef, onCancel }: EidProps) {
  const [attempt, setAttempt] = useState<{ number: number; way: LoginWay; isAgreed?: boolean }>(() => ({
    number: 0,
    way: orderRef !== '' || isMobile() ? 'AUTO_START' : 'QR_CODE',
  }))
  const [isStopped, setStopped] = useState(false)
  const { number, way, isAgreed = false } = attempt
  const retry = () => {
    setStopped(false)
    setAttempt({ number: number + 1, way })
  }
  // Without another way to go to, the order ends and nothing begins by itself.
  if (isStopped) return <Ended order={STOPPED} onRetry={retry} onCancel={undefined} />
  return (
    <Attempt
      // Another attempt is another order: the one before is cancelled and nothing of it stays on the screen.
      key={number}
      wanted={wanted}
      way={way}
      resumed={(number === 0 || isAgreed) && orderRef !== '' ? orderRef : undefined}
      isAgreed={isAgreed}
      onAgree={() => {
        void leaveSession().then(() => setAttempt({ number: number + 1, way, isAgreed: true }))
      }}
      onRetry={retry}
      onOtherWay={() => setAttempt({ number: number + 1, way: way === 'QR_CODE' ? 'AUTO_START' : 'QR_CODE' })}
      onCancel={onCancel}
      onStop={() => setStopped(true)}
    />
  )
}

type AttemptProps = Pick<EidProps, 'wanted' | 'onCancel'> & {
  way: LoginWay
  /** An order to go on with instead of a new one. */
  resumed: string | undefined
  /** Whoever was logged in here may be logged out. */
  isAgreed: boolean
  onAgree: () => void
  onRetry: () => void
  onOtherWay: () => void
  onStop: () => void
}

function Attempt(props: AttemptProps) {
  const { wanted, way, resumed, onAgree, onRetry, onOtherWay, onCancel, onStop } = props
  const order = useEid(props)
  if (order.phase === 'taken') return <Taken orderRef={resumed ?? ''} onAgree={onAgree} />
  if (order.phase === 'failed') return <Ended order={order} onRetry={onRetry} onCancel={onCancel} />
  const isCode = way === 'QR_CODE'
  return (
    <div className={css.panel}>
      {isCode && <Code order={order} />}
      {!isCode && resumed === undefined && <OpenApp order={order} wanted={wanted} />}
      <p className={css.live}>
        <Spinner look="brand" />
        <span role="status">{liveText(order, way)}</span>
      </p>
      <Button wide look="secondary" icon={isCode ? 'id-card' : 'mobile'} onClick={onOtherWay}>
        {t(isCode ? 'eid.on_this_device' : 'eid.other_device')}
      </Button>
      <p className={css.cancel}>
        <Button look="text" onClick={onCancel ?? onStop}>
          {t('login.cancel')}
        </Button>
      </p>
    </div>
  )
}

/** One sentence; it changes with the state and never with a question in between. */
function liveText(order: EidOrder, way: LoginWay): string {
  if (order.phase === 'finishing') return t('eid.finishing')
  if (order.phase === 'lost') return t('eid.lost')
  if (order.phase === 'pending' && order.message) return order.message
  return t(way === 'QR_CODE' ? 'eid.start_app' : 'eid.press_open')
}

function Code({ order }: { order: EidOrder }) {
  const text = order.phase === 'pending' ? order.qrCode : undefined
  const isRead = order.phase === 'finishing' || text === null
  return (
    <div className={css.code}>
      <div className={css.plate} data-read={isRead || undefined}>
        {text ? (
          <QrCode text={text} size={CODE_SIZE} label={t('eid.code')} />
        ) : (
          <span className={css.blank}>{isRead && t('eid.code_read')}</span>
        )}
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

/** Somebody else's order, sent in an address, may not take the place of whoever is logged in (threat csrf.sessionswap). */
function Taken({ orderRef, onAgree }: { orderRef: string; onAgree: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => box.current?.focus(), [])
  const stay = () => {
    cancelOrder(orderRef)
    const standing = readStanding()
    // What is open in another tab stays there; here is nothing to go back to but the start.
    goTo(standing ? debtHash(standing) : isIdentified() ? dashboardHash() : homeHash(), { replace: true })
  }
  return (
    <div className={css.panel}>
      <MessageBox tone="info" role="alert" heading={t('eid.taken')} ref={box}>
        <p>{t('eid.taken_text')}</p>
      </MessageBox>
      {!isLeaving && (
        <Button wide onClick={stay}>
          {t('switch.stay')}
        </Button>
      )}
      <Button
        wide
        look="secondary"
        busy={isLeaving ? t('eid.taken_go_on') : undefined}
        onClick={() => {
          setLeaving(true)
          onAgree()
        }}
      >
        {t('eid.taken_go_on')}
      </Button>
    </div>
  )
}

type Failed = Extract<EidOrder, { phase: 'failed' }>
const STOPPED: Failed = { phase: 'failed', message: undefined, isCancelled: true }

type EndedProps = { order: Failed; onRetry: () => void; onCancel: (() => void) | undefined }

/** The cause in the identity provider's words; that somebody changed their mind is no error. */
function Ended({ order, onRetry, onCancel }: EndedProps) {
  const { isCancelled, message } = order
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div className={css.panel}>
      <MessageBox
        tone={isCancelled ? 'info' : 'bad'}
        role="alert"
        heading={isCancelled ? t('eid.cancelled') : t('login.error_heading')}
        ref={box}
      >
        <p className={css.subHeader}>{t('eid.not_logged_in')}</p>
        {(message ?? !isCancelled) && <p>{message ?? t('server_down.text')}</p>}
        {!isCancelled && <AnswerLink article="bankid-trouble" text="support.bankid" />}
      </MessageBox>
      <Button wide onClick={onRetry}>
        {t('login.retry')}
      </Button>
      {onCancel ? (
        <p className={css.cancel}>
          <Button look="text" onClick={onCancel}>
            {t('login.cancel')}
          </Button>
        </p>
      ) : (
        <OtherHelp />
      )}
    </div>
  )
}

/** Whoever cannot log in this way, and has no other, is helped by a person. */
function OtherHelp() {
  const contact = useInstance()?.contactInformation
  if (!contact) return null
  return (
    <div className={css.help}>
      <p>
        <PhoneSentence id="login.call_instead" phone={contact.phone} />
      </p>
      <p>
        <a href={`mailto:${contact.email}`}>{contact.email}</a>
      </p>
    </div>
  )
}
