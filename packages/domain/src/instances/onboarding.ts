/**
 * What a provider needs from nothing to its first paid invoice, as a list that is counted from what is there: nobody ticks anything off.
 * A step is done when nothing of it is missing, and is open again when something goes.
 */

/** In the order in which they are best done. */
export const ONBOARDING_STEPS = [
  'details',
  'look',
  'logins',
  'counterparties',
  'accounts',
  'second_person',
  'creditor',
  'numbers',
  'texts',
  'plans',
  'invoice_sent',
  'invoice_paid',
  'bank_file',
] as const
export type OnboardingStep = (typeof ONBOARDING_STEPS)[number]

export const ONBOARDING_LACKS = [
  'postal_address',
  'logo',
  'favicon',
  'login',
  'counterparty',
  'trial_swish',
  'trial_bankid',
  'funds_account',
  'payout_account',
  'approver',
  'creditor',
  'agreement',
  'reminder_fee',
  'vat',
  'number_series',
  'service_text',
  'plan',
  'invoice_sent',
  'invoice_paid',
  'bank_file',
] as const
export type OnboardingLack = (typeof ONBOARDING_LACKS)[number]

/** What can wait: a provider works without it, and says so to nobody. */
const OPTIONAL: readonly OnboardingStep[] = ['plans']

/** What the books and settings of a provider say. */
export type OnboardingFacts = {
  readonly hasPostalAddress: boolean
  readonly hasLogo: boolean
  readonly hasFavicon: boolean
  /** Ways to log in that are chosen here and can be used: BankID needs a counterparty. */
  readonly logins: number
  /** Of the counterparties that can be tried, those that are chosen here, and whether they last knew what holds now. */
  readonly offered: readonly { readonly kind: 'SWISH' | 'BANKID'; readonly isAccepted: boolean }[]
  /** A counterparty is chosen (BankID as a way to log in), and there is nothing to show it. */
  readonly isCounterpartyMissing: boolean
  readonly fundsAccounts: number
  /** This and the agreement, its VAT and the reminder fee are of one creditor: the one of whom most is there. */
  readonly payoutAccounts: number
  /** People who have signed in here and may agree to what another proposes. */
  readonly approvers: number
  readonly creditors: number
  readonly agreements: number
  /** Creditors of whom is agreed whether debtors pay for a reminder. */
  readonly reminderFees: number
  /** Agreements with a rate of VAT; none is a rate too. */
  readonly vatAgreements: number
  /** Creditors whose invoices have numbers: a series of ours, or their own. */
  readonly numbered: number
  /** There is one in the provider's own language. */
  readonly hasServiceText: boolean
  readonly plans: number
  readonly invoicesSent: number
  /** Or claims: what is collected is paid as a claim. */
  readonly invoicesPaid: number
  readonly bankFilesBooked: number
}

export type OnboardingLine = {
  readonly step: OnboardingStep
  readonly isDone: boolean
  readonly isOptional: boolean
  readonly missing: readonly OnboardingLack[]
}

/** Whoever proposes cannot agree: it takes one more. */
const LEAST_APPROVERS = 2

function lacksOf(
  facts: OnboardingFacts,
): Readonly<Record<OnboardingStep, readonly (OnboardingLack | false)[]>> {
  const untried = (kind: 'SWISH' | 'BANKID') =>
    facts.offered.some((one) => one.kind === kind && !one.isAccepted)
  return {
    details: [!facts.hasPostalAddress && 'postal_address'],
    look: [!facts.hasLogo && 'logo', !facts.hasFavicon && 'favicon'],
    logins: [facts.logins === 0 && 'login'],
    counterparties: [
      facts.isCounterpartyMissing && 'counterparty',
      untried('SWISH') && 'trial_swish',
      untried('BANKID') && 'trial_bankid',
    ],
    accounts: [facts.fundsAccounts === 0 && 'funds_account', facts.payoutAccounts === 0 && 'payout_account'],
    second_person: [facts.approvers < LEAST_APPROVERS && 'approver'],
    creditor: [
      facts.creditors === 0 && 'creditor',
      facts.agreements === 0 && 'agreement',
      facts.reminderFees === 0 && 'reminder_fee',
    ],
    numbers: [facts.vatAgreements === 0 && 'vat', facts.numbered === 0 && 'number_series'],
    texts: [!facts.hasServiceText && 'service_text'],
    plans: [facts.plans === 0 && 'plan'],
    invoice_sent: [facts.invoicesSent === 0 && 'invoice_sent'],
    invoice_paid: [facts.invoicesPaid === 0 && 'invoice_paid'],
    bank_file: [facts.bankFilesBooked === 0 && 'bank_file'],
  }
}

/** Every step with what is missing of it. `isDone`: nothing is left that cannot wait. */
export function onboardingOf(facts: OnboardingFacts): {
  readonly isDone: boolean
  readonly steps: readonly OnboardingLine[]
} {
  const lacks = lacksOf(facts)
  const steps = ONBOARDING_STEPS.map((step) => {
    const missing = lacks[step].filter((one) => one !== false)
    return { step, isDone: missing.length === 0, isOptional: OPTIONAL.includes(step), missing }
  })
  return { isDone: steps.every(({ isDone, isOptional }) => isDone || isOptional), steps }
}
