/** Who comes to a portal of staff: on into it with a session, else to the sign-in in one of its states. */
import { Spinner } from '@kvitt/ui/feedback/spinner.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Suspense, useEffect, useState, type ComponentType } from 'react'
import type { OfficeProvider } from '../provider.ts'
import { OfficeButton } from '../parts/office-button.tsx'
import { canUsePasskeys } from '../passkeys/passkey-browser.ts'
import { t } from '../text.ts'
import { readBack } from './back-from-issuer.ts'
import { PasswordForm } from './password-form.tsx'
import type { IssuerPartProps } from './issuer-part.tsx'
import type { LaterStepProps, Step } from './later-step.tsx'
import type { StepAnswer } from './send-step.ts'
import { SignInCard } from './sign-in-card.tsx'
import css from './sign-in-card.module.css'
import { beginSignIn, type Provider } from './sign-in.ts'

const TITLES = {
  forgotten: 'sign_in.forgotten_title',
  passkey: 'factor.title',
  code: 'factor.title',
  recovery: 'factor.title',
  set_up: 'factor.set_up_title',
} as const

/** `asking`: the provider is asked who this is. `login`: it wants a password. */
export type GateState = 'asking' | 'login' | 'failed' | 'over' | 'signed-out'

type GateProps = {
  state: GateState
  provider: OfficeProvider
  signIn: Provider
  debtorPortal: string
  /** The hash to come back to. */
  wanted: string
  /** The portal fetches it with its words when it is needed: most sign-ins end with the password. */
  laterStep: ComponentType<LaterStepProps>
  /** The same where the provider has a sign-in of its own. */
  issuerPart: ComponentType<IssuerPartProps>
}

const readInteraction = (): string => new URLSearchParams(location.search).get('interaction') ?? ''

type Told = { readonly next?: StepAnswer['next'] | undefined; readonly hasPasskey?: boolean }

const stepOf = ({ next }: Pick<Told, 'next'>): Step =>
  next === 'passkey' && !canUsePasskeys() ? 'recovery' : (next ?? 'password')
const waysOf = ({ next, hasPasskey = false }: Told) => ({
  hasApp: next === 'code',
  hasPasskey: hasPasskey && canUsePasskeys(),
})

/** The sign-in, instead of the portal. */
export function Gate(props: GateProps) {
  const { state, provider, signIn, debtorPortal, wanted, laterStep: LaterStep, issuerPart } = props
  const [isAsking, setAsking] = useState(state === 'asking')
  const [back] = useState(() => readBack(location.search))
  const [step, setStep] = useState<Step>(() => stepOf(back))
  const [ways, setWays] = useState(() => waysOf(back))
  const goOn = ({ next, hasPasskey = false }: StepAnswer) => {
    setWays(waysOf({ next, hasPasskey }))
    setStep(stepOf({ next }))
  }
  const begin = () => {
    setAsking(true)
    void beginSignIn(signIn, wanted).then((address) => location.assign(address))
  }
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it appears
  useEffect(() => void (state === 'asking' && begin()), [])
  const card = { provider, debtorPortal }
  if (isAsking) {
    return (
      <SignInCard {...card} title={t('sign_in.title')}>
        <p className={css.note} role="status">
          <Spinner look="brand" /> {t('sign_in.asking')}
        </p>
      </SignInCard>
    )
  }
  const email = sessionStorage.getItem('user_email') ?? ''
  if (state === 'login' && step !== 'password') {
    return (
      <SignInCard {...card} title={t(TITLES[step])}>
        <Suspense fallback={<Spinner look="brand" />}>
          <LaterStep
            interaction={readInteraction()}
            step={step}
            ways={ways}
            email={email}
            onStep={setStep}
            onExpired={begin}
            isByIssuer={back.next !== undefined}
          />
        </Suspense>
      </SignInCard>
    )
  }
  if (state === 'login') {
    return (
      <SignInCard {...card} title={t('sign_in.title')}>
        <PasswordForm
          interaction={readInteraction()}
          email={email}
          name={provider.name}
          refused={back.refused}
          issuerPart={issuerPart}
          onExpired={begin}
          onNext={goOn}
          onForgotten={() => setStep('forgotten')}
        />
      </SignInCard>
    )
  }
  const isOut = state === 'signed-out'
  return (
    <SignInCard {...card} title={t(isOut ? 'sign_in.signed_out' : 'sign_in.title')}>
      <div className={css.stack}>
        {isOut ? (
          <p>{t('sign_in.signed_out_text')}</p>
        ) : (
          <MessageBox tone={state === 'over' ? 'info' : 'bad'} role="status">
            {t(state === 'over' ? 'sign_in.over' : 'sign_in.failed')}
          </MessageBox>
        )}
        <OfficeButton look="primary" size="large" onClick={begin}>
          {t('sign_in.submit')}
        </OfficeButton>
      </div>
    </SignInCard>
  )
}
