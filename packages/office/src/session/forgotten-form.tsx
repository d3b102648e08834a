import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { useRef, useState, type FormEvent } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import css from './sign-in-card.module.css'

type FormProps = {
  email: string
  onBack: () => void
}

/** Asks for a link to choose another password. What is said is the same whoever has the address. */
export function ForgottenForm({ email, onBack }: FormProps) {
  const [state, setState] = useState<'asking' | 'busy' | 'sent'>('asking')
  const [isMissing, setMissing] = useState(false)
  const [failure, setFailure] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('email')
    const address = typeof typed === 'string' ? typed.trim() : ''
    setMissing(address === '')
    if (address === '' || state === 'busy') return
    setState('busy')
    const answer = await fetch('/oidc/forgotten', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Accept-Language': currentLanguage() },
      body: JSON.stringify({ email: address }),
    }).catch(() => undefined)
    const refusal = answer?.ok
      ? undefined
      : ((await answer?.json().catch(() => ({}))) as { message?: string })
    setState(answer?.ok ? 'sent' : 'asking')
    setFailure(
      answer === undefined
        ? t('office.unreachable')
        : answer.ok
          ? ''
          : (refusal?.message ?? t('office.unknown_error')),
    )
    requestAnimationFrame(() => box.current?.focus())
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {failure !== '' && (
        <MessageBox tone="bad" role="alert" ref={box}>
          {failure}
        </MessageBox>
      )}
      {state === 'sent' ? (
        <MessageBox tone="info" role="status" ref={box}>
          {t('sign_in.forgotten_sent')}
        </MessageBox>
      ) : (
        <>
          <p>{t('sign_in.forgotten_text')}</p>
          <TextField
            label={t('sign_in.email')}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={email}
            error={isMissing ? t('field.mandatoryValidError') : undefined}
          />
          <OfficeButton type="submit" look="primary" size="large" isBusy={state === 'busy'} cap="↵">
            {t('sign_in.forgotten_send')}
          </OfficeButton>
        </>
      )}
      <button type="button" className={css.link} onClick={onBack}>
        {t('sign_in.forgotten_back')}
      </button>
    </form>
  )
}
