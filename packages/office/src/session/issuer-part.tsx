/** What the form of a sign-in has of the provider's own one. Most providers have none: it is fetched with its words where one is. */
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useState } from 'react'
import type { ISSUER_REFUSALS } from '@kvitt/domain/staff/issuer.ts'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import type { Offer } from './issuer-offer.ts'
import { sendStep, type StepAnswer } from './send-step.ts'

export type OfferProps = {
  interaction: string
  offer: Offer
  /** The provider's name. */
  name: string
  readEmail: () => string
  onRefused: (answer: StepAnswer) => void
}

function IssuerOffer({ interaction, offer, name, readEmail, onRefused }: OfferProps) {
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

export type IssuerPartProps = OfferProps | { refused: (typeof ISSUER_REFUSALS)[number] }

/** The way there, or why it ended: one sentence of the closed list, nothing of the address is shown. */
export default function IssuerPart(props: IssuerPartProps) {
  return 'refused' in props ? t(`issuer.refused.${props.refused}`) : <IssuerOffer {...props} />
}
