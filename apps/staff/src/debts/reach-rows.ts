import type { FactRow } from '../shell/facts.tsx'
import { t } from '../text.ts'

type Reached = {
  readonly isProtected: boolean
  readonly email: string | null
  readonly phone: string | null
  readonly invoiceAddress: {
    readonly address: string | null
    readonly address2: string | null
    readonly zip: string
    readonly city: string | null
    readonly countryCode: string
  }
}

/** How a debtor is reached; of one with a protected identity that it is hidden. */
export function reachRows({ isProtected, email, phone, invoiceAddress }: Reached): readonly FactRow[] {
  if (isProtected) return [{ id: 'address', name: t('debtor.address'), value: t('protected.hidden') }]
  const { address, address2, zip, city, countryCode } = invoiceAddress
  const place = [address, address2, [zip, city].filter(Boolean).join(' '), countryCode]
  return [
    { id: 'address', name: t('debtor.address'), value: place.filter(Boolean).join(', ') },
    { id: 'email', name: t('debtor.email'), value: email },
    { id: 'phone', name: t('debtor.phone'), value: phone },
  ]
}
