import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useRef, useState } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import { sendStep, type StepAnswer } from './send-step.ts'

/** What an address is offered; of its domain alone, whoever has it. */
export type Offer = { readonly isOffered: boolean; readonly isRequired: boolean }

const NOTHING: Offer = { isOffered: false, isRequired: false }

/** Asks what an address is offered, once for each domain. */
export function useOffer(interaction: string): { offer: Offer; ask: (email: string) => void } {
  const [offer, setOffer] = useState(NOTHING)
  const asked = useRef('')
  const ask = (email: string) => {
    const domain = email.trim().toLowerCase().split('@')[1] ?? ''
    if (domain === asked.current) return
    asked.current = domain
    if (domain === '') return setOffer(NOTHING)
    void sendStep(interaction, { path: '/issuer-of', fields: { email: email.trim() } }).then((answer) => {
      if (asked.current !== domain) return
      // Not told, it is asked again with the next look at the field.
      if (answer.code !== undefined) asked.current = ''
      setOffer({ isOffered: answer.isOffered === true, isRequired: answer.isRequired === true })
    })
  }
  return { offer, ask }
}

type OfferProps = {
  interaction: string
  offer: Offer
  /** The provider's name. */
  name: string
  readEmail: () => string
  onRefused: (answer: StepAnswer) => void
}

/** The way to the provider's own sign-in; the first one where it is the only one. */
export function IssuerOffer({ interaction, offer, name, readEmail, onRefused }: OfferProps) {
  const [isBusy, setBusy] = useState(false)
  const go = async () => {
    if (isBusy) return
    setBusy(true)
    const answer = await sendStep(interaction, { path: '/issuer', fields: { email: readEmail() } })
    if (answer.goTo !== undefined) return location.assign(answer.goTo)
    setBusy(false)
    onRefused(answer)
  }
  return (
    <>
      {offer.isRequired && <MessageBox tone="info">{t('issuer.required', { name })}</MessageBox>}
      <OfficeButton
        look={offer.isRequired ? 'primary' : 'secondary'}
        size="large"
        isBusy={isBusy}
        onClick={() => void go()}
      >
        {t('issuer.sign_in', { name })}
      </OfficeButton>
    </>
  )
}
