import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useEffect, useRef, useState } from 'react'
import { api, invoiceCall } from '../calls.ts'
import type { InvoiceKey } from '../session.ts'
import { AnswerLink } from '../shell/answer-link.tsx'
import { t, type MessageId } from '../text.ts'
import type { Refused } from '../views.ts'
import css from './login-failed.module.css'
import { isAccepted } from './open-session.ts'
import { canSolve, solveChallenge } from './solve-challenge.ts'

type LoginFailedProps = {
  /** Why; true where all that is known is that nobody has such an invoice. */
  readonly refused: Refused | true
  readonly tried: InvoiceKey
  /** The calculation was right, and so was the pair. */
  readonly onInvoice: (invoice: InvoiceAnswer, key: InvoiceKey) => void
  readonly onRetry: () => void
  readonly onCancel: () => void
}

/** Login did not succeed. What stands here takes the focus, and again when something else takes its place. */
export default function LoginFailed({ refused, ...props }: LoginFailedProps) {
  const [{ last, turn }, setLast] = useState({ last: refused, turn: 0 })
  const take = (next: Refused | true) => setLast({ last: next, turn: turn + 1 })
  if (last !== true && last.params.challenge && canSolve()) {
    return <Challenge key={turn} {...props} refused={last} onRefused={take} />
  }
  return <Refusal key={turn} {...props} refused={last} />
}

function useFocus() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.focus()
  }, [])
  return box
}

function Refusal({ refused, onRetry, onCancel }: Pick<LoginFailedProps, 'refused' | 'onRetry' | 'onCancel'>) {
  const box = useFocus()
  const isThrottled = refused !== true && refused.code === 'login_throttled'
  return (
    <MessageBox tone="bad" heading={t('login.error_heading')} role="alert" ref={box}>
      <p className={css.subHeader}>{isThrottled ? waitText(refused) : t('login.error_sub')}</p>
      <p className={css.message}>{isThrottled ? refused.message : t('login.error_invalid_data')}</p>
      <p className={css.ways}>
        <Button look="text" onClick={onRetry}>
          {t('login.retry')}
        </Button>
        <Button look="text" onClick={onCancel}>
          {t('login.cancel')}
        </Button>
        <AnswerLink article="lost-letter" text="support.lost_letter" />
      </p>
    </MessageBox>
  )
}

/** "You can log in again at 14:35." No wait is longer than a day. */
function waitText({ params }: Refused): string {
  const now = new Date()
  // Up to the next minute: at that time it works.
  const end = new Date(now.getTime() + Number(params.retryAfterSeconds ?? 0) * 1000 + 59_999)
  const two = (number: number) => String(number).padStart(2, '0')
  const time = { hour: two(end.getHours()), minute: two(end.getMinutes()) }
  return t(end.getDate() === now.getDate() ? 'login.wait_until' : 'login.wait_until_tomorrow', time)
}

type ChallengeProps = Omit<LoginFailedProps, 'refused' | 'onRetry'> & {
  readonly refused: Refused
  readonly onRefused: (refused: Refused | true) => void
}

/** How far it has come; undefined before it is begun. */
type Stage = 'begun' | 'half' | 'done' | 'failed'
const STAGES: Readonly<Record<Stage, MessageId>> = {
  begun: 'login.challenge_begun',
  half: 'login.challenge_half',
  done: 'login.challenge_done',
  failed: 'login.challenge_failed',
}

function Challenge({ refused, tried, onInvoice, onRefused, onCancel }: ChallengeProps) {
  const box = useFocus()
  const [stage, setStage] = useState<Stage>()
  const left = useRef<AbortController>(null)
  useEffect(() => () => left.current?.abort(), [])
  const solve = async () => {
    const { signal } = (left.current = new AbortController())
    setStage('begun')
    try {
      const headers = await solveChallenge(tried.reference, signal, () => setStage('half'))
      setStage('done')
      const invoice = await api.ask(invoiceCall('GET', tried, ''), { headers, signal })
      if (isAccepted(invoice)) onInvoice(invoice, tried)
      else onRefused(true)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiRefusal && error.status < 500) onRefused(error)
      else setStage('failed')
    }
  }
  const isBusy = stage !== undefined && stage !== 'failed'
  return (
    <>
      <MessageBox tone="info" heading={t('login.challenge_heading')} role="alert" ref={box}>
        <p className={css.message}>{t('login.challenge_text')}</p>
        <div className={css.go}>
          <Button wide busy={isBusy ? t('login.challenge_busy') : undefined} onClick={() => void solve()}>
            {t('login.challenge_go')}
          </Button>
        </div>
        <p className={css.message}>{t('login.challenge_or_wait', { wait: waitText(refused) })}</p>
        <p className={css.ways}>
          <Button look="text" onClick={onCancel}>
            {t('login.cancel')}
          </Button>
        </p>
      </MessageBox>
      {/* Outside, or the whole box would be read out with each word of it. */}
      <p className={css.progress} role="status">
        {stage ? t(STAGES[stage]) : ''}
      </p>
    </>
  )
}
