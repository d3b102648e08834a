import { ApiRefusal } from '@kvitt/ui/api.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ActButton } from '../shell/act-button.tsx'
import { t, type MessageId } from '../text.ts'

/** Refusals after which the invoice on the screen is no longer the server's. */
const OUTDATED = /^(?:amount_changed|nothing_to_pay|payment_(?:in_progress|replaced|date_invalid))$/

type PayButtonProps = {
  /** Opens the payment. Answers true when the page is about to be left, so that the button stays locked. */
  open: () => Promise<boolean>
  /** What to say when who moves the money cannot be reached. */
  downText: MessageId
  children: ReactNode
  /** The invoice has to be read again; `why` is a sentence of the server. */
  onOutdated: (why: string) => void
}

/** Opens the payment once, however often it is pressed. */
export function PayButton({ open, downText, children, onOutdated }: PayButtonProps) {
  const [isOpening, setOpening] = useState(false)
  const [failure, setFailure] = useState<'down' | 'unknown' | 'other'>()
  const [message, setMessage] = useState('')
  const lock = useRef(false)

  useEffect(() => {
    // A page that comes back from the browser's memory must not stay locked.
    const unlock = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      lock.current = false
      setOpening(false)
    }
    addEventListener('pageshow', unlock)
    return () => removeEventListener('pageshow', unlock)
  }, [])

  const release = () => {
    lock.current = false
    setOpening(false)
  }
  const press = async () => {
    if (lock.current) return
    lock.current = true
    setOpening(true)
    setFailure(undefined)
    try {
      if (await open()) return
      release()
    } catch (error) {
      release()
      if (!(error instanceof ApiRefusal)) return setFailure('unknown')
      if (OUTDATED.test(error.code)) return onOutdated(error.message)
      setMessage(error.message)
      setFailure(error.code === 'provider_unavailable' ? 'down' : 'other')
    }
  }

  return (
    <>
      {failure && (
        <MessageBox
          tone={failure === 'unknown' ? 'warn' : 'bad'}
          role="alert"
          heading={t(
            failure === 'down' ? downText : failure === 'unknown' ? 'pay.no_answer' : 'pay.not_opened',
          )}
        >
          <p>
            {failure === 'other'
              ? message
              : t(failure === 'down' ? 'pay.bank_down_next' : 'pay.no_answer_next')}
          </p>
        </MessageBox>
      )}
      <ActButton wide busy={isOpening ? t('pay.opening') : undefined} onClick={() => void press()}>
        {children}
      </ActButton>
    </>
  )
}
