import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useRef, useState } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { makePasskey } from '../passkeys/passkey-browser.ts'
import { t } from '../text.ts'
import { sendStep, type StepAnswer } from './send-step.ts'

const AT = '/second-factor/passkey'

/** A passkey of somebody who has no second factor; another name is given to it later, in the account. */
async function setUpPasskey(interaction: string): Promise<StepAnswer> {
  const asked = await sendStep(interaction, { path: `${AT}-options`, fields: {} })
  if (asked.code !== undefined) return asked
  const registration = await makePasskey(asked as unknown as PublicKeyCredentialCreationOptionsJSON)
  if (typeof registration === 'string') {
    const message = t(registration === 'cancelled' ? 'passkey.cancelled' : 'passkey.not_set_up')
    return { code: registration, message }
  }
  const fields = { name: t('passkey.first_name'), registration }
  return sendStep(interaction, { method: 'PUT', path: AT, fields })
}

type SetUpProps = {
  interaction: string
  onExpired: () => void
  /** It is made, and the recovery codes are there. */
  onDone: (answer: StepAnswer) => void
}

/** In the place of the app: nothing to install, and nothing to type. */
export function PasskeySetUp({ interaction, onExpired, onDone }: SetUpProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<StepAnswer>({})
  const box = useRef<HTMLDivElement>(null)
  const make = async () => {
    if (isBusy) return
    setBusy(true)
    const answer = await setUpPasskey(interaction)
    if (answer.redirectTo !== undefined) return onDone(answer)
    if (answer.code === 'sign_in_expired') return onExpired()
    setBusy(false)
    setRefusal(answer)
    requestAnimationFrame(() => box.current?.focus())
  }
  return (
    <>
      {refusal.message && (
        <MessageBox tone="bad" role="alert" ref={box}>
          {refusal.message}
        </MessageBox>
      )}
      <p>{t('passkey.set_up_text')}</p>
      <OfficeButton size="large" isBusy={isBusy} onClick={() => void make()}>
        {t('passkey.use')}
      </OfficeButton>
      <p>{t('passkey.or_app')}</p>
    </>
  )
}
