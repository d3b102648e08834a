/** People who have an account at the issuer: those of the demo, and one whose address nobody has invited. */
export interface Account {
  email: string
  name: string
}

const PEOPLE = ['Admin', 'Manager', 'Finance', 'Handler', 'Support', 'Approver', 'Auditor'] as const

export const ACCOUNTS: readonly Account[] = [
  ...PEOPLE.map((name) => ({ email: `${name.toLowerCase()}@kvitt.example`, name: `Demo ${name}` })),
  { email: 'stranger@kvitt.example', name: 'Demo Stranger' },
]
