/** Somebody who holds an electronic ID in the demo. */
export interface Person {
  personalNumber: string
  name: string
}

/** The cast's debtors with a number, and a stranger whom nobody has sent an invoice. */
export const PEOPLE: readonly Person[] = [
  { personalNumber: '199007292387', name: 'Alva Provlund' },
  { personalNumber: '198603249999', name: 'Elias Testholm' },
  { personalNumber: '194101157545', name: 'Maj-Britt Demosson' },
  { personalNumber: '197909189230', name: 'Nils Fiktivgren' },
  { personalNumber: '5599990040', name: 'Hammarprov Demo Bygg AB' },
  { personalNumber: '12839140000', name: 'Ingrid Prøvestad' },
  { personalNumber: '999990037', name: 'Fjordtest Demo Fisk AS' },
  { personalNumber: '150388901V', name: 'Aino Koenen' },
  { personalNumber: '99990023', name: 'Testipuu Demo Oy' },
  { personalNumber: '190001019801', name: 'Somebody else' },
]

/** The number without hyphens and spaces, as it is compared and reported. */
export function plainNumber(text: string): string {
  return text.toUpperCase().replace(/[^0-9A-Z]/g, '')
}

export function personOf(personalNumber: string): Person {
  const number = plainNumber(personalNumber)
  return (
    PEOPLE.find((person) => person.personalNumber === number) ?? {
      personalNumber: number,
      name: 'Demo Person',
    }
  )
}
