/** Whether the provider's own sign-in is offered to an address. */
import { useRef, useState } from 'react'
import { sendStep } from './send-step.ts'

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
