import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useEffect, useRef, useState } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import { signInByPasskey } from './passkey-step.ts'
import { leadOn, type StepAnswer } from './send-step.ts'
import css from './sign-in-card.module.css'

type FormProps = {
  interaction: string
  /** There is an app as well. */
  hasApp: boolean
  onExpired: () => void
  onCode: (step: 'code' | 'recovery') => void
}

/** After the password: a passkey, or a code. */
export function PasskeyForm({ interaction, hasApp, onExpired, onCode }: FormProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<StepAnswer>({})
  const box = useRef<HTMLDivElement>(null)
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => part.current?.querySelector('button')?.focus(), [])
  const sign = async () => {
    if (isBusy) return
    setBusy(true)
    const words = { cancelled: t('passkey.cancelled'), failed: t('passkey.not_signed') }
    const answer = await signInByPasskey(interaction, words)
    if (answer.redirectTo !== undefined) return leadOn(answer.redirectTo)
    if (answer.code === 'sign_in_expired') return onExpired()
    setBusy(false)
    setRefusal(answer)
    requestAnimationFrame(() => box.current?.focus())
  }
  return (
    <div className={css.stack} ref={part}>
      {refusal.message && (
        <MessageBox tone="bad" role="alert" ref={box}>
          {refusal.message}
        </MessageBox>
      )}
      <p>{t('passkey.after_password')}</p>
      <OfficeButton look="primary" size="large" isBusy={isBusy} onClick={() => void sign()}>
        {t('passkey.use')}
      </OfficeButton>
      {hasApp && (
        <button type="button" className={css.link} onClick={() => onCode('code')}>
          {t('factor.use_app')}
        </button>
      )}
      <button type="button" className={css.link} onClick={() => onCode('recovery')}>
        {t('factor.use_recovery')}
      </button>
      <p className={css.note}>{t('factor.lost')}</p>
    </div>
  )
}
