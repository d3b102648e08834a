import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Spinner } from '@kvitt/ui/feedback/spinner.tsx'
import { useEffect, useRef, useState } from 'react'
import { FactorSetUp } from '../factor/factor-set-up.tsx'
import { RecoveryCodes } from '../factor/recovery-codes.tsx'
import { OfficeButton } from '../parts/office-button.tsx'
import { canUsePasskeys } from '../passkeys/passkey-browser.ts'
import { t } from '../text.ts'
import { PasskeySetUp } from './passkey-set-up.tsx'
import { leadOn, sendStep, type StepAnswer } from './send-step.ts'
import css from './sign-in-card.module.css'

type FormProps = {
  interaction: string
  /** No passkey: it would sign in alone, and the provider's own issuer would have no say in that. */
  isAppOnly: boolean
  onExpired: () => void
}

/** Whoever works here has to have two steps: before anything else they are set up, and the recovery codes kept. */
export function SetUpForm({ interaction, isAppOnly, onExpired }: FormProps) {
  const [begun, setBegun] = useState<StepAnswer>()
  const [answer, setAnswer] = useState<StepAnswer>({})
  const [isBusy, setBusy] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const begin = async () => {
    setBegun(undefined)
    setAnswer({})
    const told = await sendStep(interaction, { path: '/second-factor', fields: {} })
    if (told.code === 'sign_in_expired') return onExpired()
    setBegun(told)
  }
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it appears
  useEffect(() => void begin(), [])
  const confirm = async (code: string) => {
    setBusy(true)
    const told = await sendStep(interaction, { method: 'PUT', path: '/second-factor', fields: { code } })
    setBusy(false)
    if (told.code === 'sign_in_expired') return onExpired()
    setAnswer(told)
    if (told.code !== undefined && told.code !== 'code_wrong')
      requestAnimationFrame(() => box.current?.focus())
  }
  const { redirectTo, recoveryCodes } = answer
  if (redirectTo !== undefined && recoveryCodes !== undefined)
    return <RecoveryCodes codes={recoveryCodes} onKept={() => leadOn(redirectTo)} />
  if (begun === undefined)
    return (
      <p className={css.note} role="status">
        <Spinner look="brand" /> {t('sign_in.asking')}
      </p>
    )
  const { secret, uri, message } = begun
  if (secret === undefined || uri === undefined)
    return (
      <div className={css.stack}>
        <MessageBox tone="bad" role="alert">
          {message ?? t('office.unknown_error')}
        </MessageBox>
        <OfficeButton look="primary" size="large" onClick={() => void begin()}>
          {t('factor.again')}
        </OfficeButton>
      </div>
    )
  const isOfCode = answer.code === 'code_wrong'
  return (
    <div className={css.stack}>
      <p>{t('factor.required_text')}</p>
      {canUsePasskeys() && !isAppOnly && (
        <PasskeySetUp interaction={interaction} onExpired={onExpired} onDone={setAnswer} />
      )}
      {answer.message && !isOfCode && (
        <MessageBox tone="bad" role="alert" ref={box}>
          {answer.message}
        </MessageBox>
      )}
      {answer.code === 'second_factor_not_begun' && (
        <OfficeButton onClick={() => void begin()}>{t('factor.again')}</OfficeButton>
      )}
      <FactorSetUp
        secret={secret}
        uri={uri}
        isBusy={isBusy}
        fault={isOfCode ? answer.message : undefined}
        onCode={(code) => void confirm(code)}
      />
    </div>
  )
}
