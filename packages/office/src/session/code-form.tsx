import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import { leadOn, sendStep, type StepAnswer } from './send-step.ts'
import css from './sign-in-card.module.css'

type FormProps = {
  interaction: string
  /** The sign-in has grown too old: another begins. */
  onExpired: () => void
  /** An app's code, or none but recovery codes. */
  hasApp?: boolean
  isOfRecovery?: boolean
  /** There is a passkey as well. */
  onPasskey?: (() => void) | undefined
}

/** Few are left, and somebody should make new ones. */
const FEW = 3

/** The code of the app after the password, or a recovery code for whoever has lost it. */
export function CodeForm(props: FormProps) {
  const { interaction, onExpired, hasApp = true, isOfRecovery = false, onPasskey } = props
  const [isRecovery, setRecovery] = useState(isOfRecovery)
  const [isMissing, setMissing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<StepAnswer>({})
  const [done, setDone] = useState<UsedProps>()
  const form = useRef<HTMLFormElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const focusField = () => requestAnimationFrame(() => form.current?.querySelector('input')?.focus())
  useEffect(() => {
    requestAnimationFrame(() => form.current?.querySelector('input')?.focus())
  }, [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('code')
    const code = typeof typed === 'string' ? typed.trim() : ''
    setMissing(code === '')
    if (code === '' || isBusy) return
    setBusy(true)
    const answer = await sendStep(interaction, { path: '/code', fields: { code } })
    const { redirectTo, recoveryCodesLeft } = answer
    if (redirectTo !== undefined && recoveryCodesLeft === undefined) return leadOn(redirectTo)
    if (redirectTo !== undefined && recoveryCodesLeft !== undefined)
      return setDone({ redirectTo, recoveryCodesLeft })
    if (answer.code === 'sign_in_expired') return onExpired()
    setBusy(false)
    setRefusal(answer)
    const isOfCode = answer.code === 'code_wrong' || answer.code === 'code_used'
    requestAnimationFrame(() =>
      isOfCode ? form.current?.querySelector('input')?.select() : box.current?.focus(),
    )
  }
  if (done) return <RecoveryUsed {...done} />
  const isOfCode = refusal.code === 'code_wrong' || refusal.code === 'code_used'
  const fault = isMissing ? t('field.mandatoryValidError') : isOfCode ? refusal.message : undefined
  const change = () => {
    setRecovery(!isRecovery)
    focusField()
    setMissing(false)
    setRefusal({})
  }
  return (
    <form noValidate ref={form} onSubmit={(event) => void submit(event)}>
      {refusal.message && !isOfCode && (
        <MessageBox tone="bad" role="alert" ref={box}>
          {refusal.message}
        </MessageBox>
      )}
      <p>{t(isRecovery ? 'factor.recovery_text' : 'factor.code_text')}</p>
      <CodeField isRecovery={isRecovery} fault={fault} />
      <span className="spoken" role="status">
        {fault}
      </span>
      <OfficeButton type="submit" look="primary" size="large" isBusy={isBusy} cap="↵">
        {t('sign_in.submit')}
      </OfficeButton>
      {onPasskey && (
        <button type="button" className={css.link} onClick={onPasskey}>
          {t('passkey.use')}
        </button>
      )}
      {hasApp && (
        <button type="button" className={css.link} onClick={change}>
          {t(isRecovery ? 'factor.use_app' : 'factor.use_recovery')}
        </button>
      )}
      {!hasApp && !onPasskey && <p className={css.note}>{t('passkey.elsewhere')}</p>}
      <p className={css.note}>{t('factor.lost')}</p>
    </form>
  )
}

/** The one field: of the app's code, which browsers fill in by themselves, or of a recovery code. */
function CodeField({ isRecovery, fault }: { isRecovery: boolean; fault: string | undefined }) {
  if (isRecovery)
    return (
      <TextField
        key="recovery"
        label={t('factor.recovery_code')}
        name="code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        error={fault}
      />
    )
  return (
    <TextField
      key="code"
      label={t('factor.code')}
      hint={t('factor.code_hint')}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={9}
      error={fault}
    />
  )
}

type UsedProps = Required<Pick<StepAnswer, 'redirectTo' | 'recoveryCodesLeft'>>

/** How many recovery codes are left, before the page goes on. */
function RecoveryUsed({ redirectTo, recoveryCodesLeft: left }: UsedProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div className={css.stack}>
      <MessageBox tone={left <= FEW ? 'warn' : 'ok'} role="status" ref={box}>
        {t('factor.recovery_used', { count: left })}
      </MessageBox>
      {left <= FEW && <p>{t('factor.make_new_soon')}</p>}
      <OfficeButton look="primary" size="large" onClick={() => leadOn(redirectTo)}>
        {t('factor.go_on')}
      </OfficeButton>
    </div>
  )
}
