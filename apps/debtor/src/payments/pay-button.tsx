import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { MessageBox } from '@kvitt/ui/components/message-box.tsx'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { t } from '../text.ts'
import { openPayment, type PaymentWish } from './start-payment.ts'

/** Refusals after which the invoice on the screen is no longer the server's. */
const OUTDATED = ['amount_changed', 'payment_in_progress', 'nothing_to_pay', 'payment_date_invalid']

export type PaymentNotice = { readonly code: string; readonly message: string }

type PayButtonProps = {
  wish: PaymentWish
  children: ReactNode
  /** The invoice has to be read again; the notice says why. */
  onOutdated: (notice: PaymentNotice) => void
}

/** Opens the payment once, however often it is pressed, and leaves for the bank. */
export function PayButton({ wish, children, onOutdated }: PayButtonProps) {
  const [isOpening, setOpening] = useState(false)
  const [failure, setFailure] = useState<'bank' | 'unknown' | 'other'>()
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

  const press = async () => {
    if (lock.current) return
    lock.current = true
    setOpening(true)
    setFailure(undefined)
    try {
      sessionStorage.setItem('payment_option', wish.option)
      location.assign(await openPayment(wish))
      return
    } catch (error) {
      lock.current = false
      setOpening(false)
      if (!(error instanceof ApiRefusal)) return setFailure('unknown')
      if (OUTDATED.includes(error.code)) return onOutdated({ code: error.code, message: error.message })
      setMessage(error.message)
      setFailure(error.code === 'provider_unavailable' ? 'bank' : 'other')
    }
  }

  return (
    <>
      {failure && (
        <MessageBox
          tone={failure === 'unknown' ? 'warn' : 'bad'}
          role="alert"
          heading={t(
            failure === 'bank' ? 'pay.bank_down' : failure === 'unknown' ? 'pay.no_answer' : 'pay.not_opened',
          )}
        >
          <p>
            {failure === 'other'
              ? message
              : t(failure === 'bank' ? 'pay.bank_down_next' : 'pay.no_answer_next')}
          </p>
        </MessageBox>
      )}
      <Button wide busy={isOpening ? t('pay.opening') : undefined} onClick={() => void press()}>
        {children}
      </Button>
    </>
  )
}
