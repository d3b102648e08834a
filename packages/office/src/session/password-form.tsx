import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import {
  Suspense,
  useEffect,
  useRef,
  useState,
  type ComponentType,
  type FormEvent,
  type ReactNode,
} from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { canUsePasskeys, stopAskingDevice } from '../passkeys/passkey-browser.ts'
import { t } from '../text.ts'
import type { Back } from './back-from-issuer.ts'
import { useOffer } from './issuer-offer.ts'
import type { IssuerPartProps } from './issuer-part.tsx'
import { leadOn, sendStep, type StepAnswer } from './send-step.ts'
import css from './sign-in-card.module.css'

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

type FormProps = {
  interaction: string
  email: string
  /** The provider's name. */
  name: string
  /** Why a sign-in at its own issuer has ended here. */
  refused?: Back['refused'] | undefined
  /** Fetched where the provider has a sign-in of its own. */
  issuerPart: ComponentType<IssuerPartProps>
  /** The sign-in has grown too old: another begins. */
  onExpired: () => void
  /** The password is right, and is not all. */
  onNext: (answer: StepAnswer) => void
  onForgotten: () => void
}

type Ways = Pick<FormProps, 'interaction' | 'onExpired' | 'onNext'> & { onRefused: () => void }

/** The two ways in, a password and a passkey. Of two that were begun, the later one goes on. */
function useWays({ interaction, onExpired, onNext, onRefused }: Ways) {
  const [failure, setFailure] = useState('')
  const [busy, setBusy] = useState<'password' | 'passkey'>()
  const turn = useRef(0)
  const refuse = (answer: StepAnswer) => {
    if (answer.code === 'sign_in_expired') return onExpired()
    setBusy(undefined)
    setFailure(answer.message ?? t('office.unknown_error'))
    requestAnimationFrame(onRefused)
  }
  const go = (answer: StepAnswer) => {
    if (answer.redirectTo !== undefined) return leadOn(answer.redirectTo)
    if (answer.next !== undefined) return onNext(answer)
    refuse(answer)
  }
  const tryPassword = async (fields: Readonly<Record<string, string>>) => {
    if (busy === 'password') return
    turn.current++
    setBusy('password')
    // A device may ask for minutes: whoever types the password meanwhile has chosen that.
    if (busy) await stopAskingDevice()
    go(await sendStep(interaction, { fields }))
  }
  const tryPasskey = async () => {
    if (busy) return
    setBusy('passkey')
    const mine = ++turn.current
    const isStillWanted = () => turn.current === mine
    const { signInByPasskey } = await import('./passkey-step.ts')
    const words = { cancelled: t('passkey.cancelled'), failed: t('passkey.not_signed') }
    const answer = await signInByPasskey(interaction, words, isStillWanted)
    if (isStillWanted()) go(answer)
  }
  return { failure, busy, refuse, tryPassword, tryPasskey }
}

/** E-mail and password. A failure says nothing of which of them was wrong. */
export function PasswordForm(props: FormProps) {
  const { interaction, email, name, refused, issuerPart: IssuerPart, onForgotten } = props
  const [missing, setMissing] = useState<'email' | 'password'>()
  const box = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const { offer, ask } = useOffer(interaction)
  const ways = useWays({ ...props, onRefused: () => box.current?.focus() })
  const { failure, busy } = ways
  const readEmail = () => (form.current ? textOf(new FormData(form.current), 'email').trim() : '')
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: what is filled in already
  useEffect(() => ask(email), [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const fields = { email: textOf(typed, 'email').trim(), password: textOf(typed, 'password') }
    ask(fields.email)
    const empty = fields.email === '' ? 'email' : fields.password === '' ? 'password' : undefined
    setMissing(empty)
    if (!empty) await ways.tryPassword(fields)
  }
  const sign = () => {
    setMissing(undefined)
    void ways.tryPasskey()
  }
  const mandatory = t('field.mandatoryValidError')
  const issuer = (
    <Suspense>
      <IssuerPart
        interaction={interaction}
        offer={offer}
        name={name}
        readEmail={readEmail}
        onRefused={ways.refuse}
      />
    </Suspense>
  )
  return (
    <form ref={form} noValidate onBlur={() => ask(readEmail())} onSubmit={(event) => void submit(event)}>
      {(failure || refused) && (
        <MessageBox tone="bad" role="alert" ref={box}>
          {failure || <Suspense>{refused && <IssuerPart refused={refused} />}</Suspense>}
        </MessageBox>
      )}
      <TextField
        label={t('sign_in.email')}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        error={missing === 'email' ? mandatory : undefined}
      />
      {offer.isOffered && offer.isRequired && issuer}
      {!offer.isRequired && (
        <>
          <PasswordField error={missing === 'password' ? mandatory : undefined} />
          <Buttons
            isBusy={busy === 'password'}
            isSigning={busy === 'passkey'}
            onSign={sign}
            onForgotten={onForgotten}
          >
            {offer.isOffered && issuer}
          </Buttons>
        </>
      )}
      <p className={css.note}>{t('sign_in.never_asked')}</p>
    </form>
  )
}

type ButtonsProps = {
  isBusy: boolean
  isSigning: boolean
  onSign: () => void
  onForgotten: () => void
  /** The provider's own sign-in, where it is offered. */
  children: ReactNode
}

function Buttons({ isBusy, isSigning, onSign, onForgotten, children }: ButtonsProps) {
  return (
    <>
      <OfficeButton type="submit" look="primary" size="large" isBusy={isBusy} cap="↵">
        {t('sign_in.submit')}
      </OfficeButton>
      {children}
      {canUsePasskeys() && (
        <OfficeButton size="large" isBusy={isSigning} onClick={onSign}>
          {t('passkey.sign_in')}
        </OfficeButton>
      )}
      <button type="button" className={css.link} onClick={onForgotten}>
        {t('sign_in.forgotten')}
      </button>
    </>
  )
}

function PasswordField({ error }: { error: string | undefined }) {
  const [isShown, setShown] = useState(false)
  return (
    <div className={css.password}>
      <TextField
        label={t('sign_in.password')}
        name="password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        error={error}
      />
      <button
        type="button"
        className={css.show}
        aria-pressed={isShown}
        aria-label={t('sign_in.show_password')}
        onClick={() => setShown(!isShown)}
      >
        {t(isShown ? 'sign_in.hide' : 'sign_in.show')}
      </button>
    </div>
  )
}
