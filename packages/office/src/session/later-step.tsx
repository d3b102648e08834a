/** The sign-in after the password, or without one that is known. */
import { CodeForm } from './code-form.tsx'
import { ForgottenForm } from './forgotten-form.tsx'
import { PasskeyForm } from './passkey-form.tsx'
import type { StepAnswer } from './send-step.ts'
import { SetUpForm } from './set-up-form.tsx'

export type Step = 'password' | 'forgotten' | NonNullable<StepAnswer['next']>

export type LaterStepProps = {
  interaction: string
  step: Exclude<Step, 'password'>
  ways: { readonly hasApp: boolean; readonly hasPasskey: boolean }
  email: string
  /** The first step was taken at the provider's own issuer: of the two factors an app is set up. */
  isByIssuer?: boolean
  onStep: (step: Step) => void
  /** The sign-in has grown too old: another begins. */
  onExpired: () => void
}

export default function LaterStep(props: LaterStepProps) {
  const { interaction, step, ways, email, isByIssuer = false, onStep, onExpired } = props
  const form = { interaction, onExpired }
  switch (step) {
    case 'forgotten':
      return <ForgottenForm email={email} onBack={() => onStep('password')} />
    case 'passkey':
      return <PasskeyForm {...form} hasApp={ways.hasApp} onCode={onStep} />
    case 'set_up':
      return <SetUpForm {...form} isAppOnly={isByIssuer} />
    case 'code':
    case 'recovery':
      return (
        <CodeForm
          {...form}
          hasApp={ways.hasApp}
          isOfRecovery={step === 'recovery'}
          onPasskey={ways.hasPasskey ? () => onStep('passkey') : undefined}
        />
      )
  }
}
