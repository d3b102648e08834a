/** The bank's page in the languages it speaks. */
export interface SignTexts {
  sandbox: string
  title: string
  payTo: string
  amount: string
  account: string
  reference: string
  when: string
  now: string
  approve: string
  decline: string
  cancel: string
  back: string
  endings: Record<
    'signed' | 'due-date' | 'held' | 'executed' | 'rejected' | 'declined' | 'expired' | 'cancelled',
    string
  >
  unknown: string
}

export type SignLanguage = 'sv' | 'en' | 'nb' | 'da' | 'fi'

export const SIGN_TEXTS: Record<SignLanguage, SignTexts> = {
  sv: {
    sandbox: 'Sandlåda: inga riktiga pengar',
    title: 'Godkänn betalningen',
    payTo: 'Betala till',
    amount: 'Belopp',
    account: 'Konto',
    reference: 'Referens',
    when: 'Betalas',
    now: 'Nu',
    approve: 'Godkänn',
    decline: 'Neka',
    cancel: 'Avbryt',
    back: 'Tillbaka till fakturan',
    endings: {
      signed: 'Du har redan godkänt betalningen.',
      'due-date': 'Du har godkänt betalningen. Den utförs på sin dag.',
      held: 'Du har redan godkänt betalningen.',
      executed: 'Betalningen är genomförd.',
      rejected: 'Banken kunde inte göra betalningen. Inga pengar har dragits.',
      declined: 'Du har nekat betalningen. Inga pengar har dragits.',
      expired: 'Länken har gått ut. Inga pengar har dragits.',
      cancelled: 'Betalningen har avbrutits. Inga pengar har dragits.',
    },
    unknown: 'Den här betalningen finns inte.',
  },
  en: {
    sandbox: 'Sandbox: no real money',
    title: 'Approve the payment',
    payTo: 'Pay to',
    amount: 'Amount',
    account: 'Account',
    reference: 'Reference',
    when: 'Paid',
    now: 'Now',
    approve: 'Approve',
    decline: 'Decline',
    cancel: 'Cancel',
    back: 'Back to the invoice',
    endings: {
      signed: 'You have already approved this payment.',
      'due-date': 'You have approved this payment. It is made on its day.',
      held: 'You have already approved this payment.',
      executed: 'This payment has been made.',
      rejected: 'The bank could not make this payment. No money has been taken.',
      declined: 'You declined this payment. No money has been taken.',
      expired: 'This link has expired. No money has been taken.',
      cancelled: 'This payment was cancelled. No money has been taken.',
    },
    unknown: 'This payment does not exist.',
  },
  nb: {
    sandbox: 'Sandkasse: ingen ekte penger',
    title: 'Godkjenn betalingen',
    payTo: 'Betal til',
    amount: 'Beløp',
    account: 'Konto',
    reference: 'Referanse',
    when: 'Betales',
    now: 'Nå',
    approve: 'Godkjenn',
    decline: 'Avvis',
    cancel: 'Avbryt',
    back: 'Tilbake til fakturaen',
    endings: {
      signed: 'Du har allerede godkjent betalingen.',
      'due-date': 'Du har godkjent betalingen. Den utføres på sin dag.',
      held: 'Du har allerede godkjent betalingen.',
      executed: 'Betalingen er gjennomført.',
      rejected: 'Banken kunne ikke gjennomføre betalingen. Ingen penger er trukket.',
      declined: 'Du avviste betalingen. Ingen penger er trukket.',
      expired: 'Lenken er utløpt. Ingen penger er trukket.',
      cancelled: 'Betalingen er avbrutt. Ingen penger er trukket.',
    },
    unknown: 'Denne betalingen finnes ikke.',
  },
  da: {
    sandbox: 'Sandkasse: ingen rigtige penge',
    title: 'Godkend betalingen',
    payTo: 'Betal til',
    amount: 'Beløb',
    account: 'Konto',
    reference: 'Reference',
    when: 'Betales',
    now: 'Nu',
    approve: 'Godkend',
    decline: 'Afvis',
    cancel: 'Annuller',
    back: 'Tilbage til fakturaen',
    endings: {
      signed: 'Du har allerede godkendt betalingen.',
      'due-date': 'Du har godkendt betalingen. Den gennemføres på sin dag.',
      held: 'Du har allerede godkendt betalingen.',
      executed: 'Betalingen er gennemført.',
      rejected: 'Banken kunne ikke gennemføre betalingen. Der er ikke trukket penge.',
      declined: 'Du afviste betalingen. Der er ikke trukket penge.',
      expired: 'Linket er udløbet. Der er ikke trukket penge.',
      cancelled: 'Betalingen er annulleret. Der er ikke trukket penge.',
    },
    unknown: 'Denne betaling findes ikke.',
  },
  fi: {
    sandbox: 'Hiekkalaatikko: ei oikeaa rahaa',
    title: 'Hyväksy maksu',
    payTo: 'Saaja',
    amount: 'Summa',
    account: 'Tili',
    reference: 'Viite',
    when: 'Maksetaan',
    now: 'Nyt',
    approve: 'Hyväksy',
    decline: 'Hylkää',
    cancel: 'Peruuta',
    back: 'Takaisin laskuun',
    endings: {
      signed: 'Olet jo hyväksynyt tämän maksun.',
      'due-date': 'Olet hyväksynyt maksun. Se maksetaan eräpäivänä.',
      held: 'Olet jo hyväksynyt tämän maksun.',
      executed: 'Maksu on suoritettu.',
      rejected: 'Pankki ei voinut toteuttaa maksua. Rahaa ei ole veloitettu.',
      declined: 'Hylkäsit maksun. Rahaa ei ole veloitettu.',
      expired: 'Linkki on vanhentunut. Rahaa ei ole veloitettu.',
      cancelled: 'Maksu on peruttu. Rahaa ei ole veloitettu.',
    },
    unknown: 'Tätä maksua ei ole.',
  },
}

/** The first of our languages that the browser asks for; English when it asks for none of them. */
export function languageOf(acceptLanguage: string | undefined): SignLanguage {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', quality = 'q=1'] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const weight = Number(quality.replace('q=', ''))
      return { language: tag.split('-')[0] ?? '', weight: Number.isNaN(weight) ? 0 : weight }
    })
    .sort((a, b) => b.weight - a.weight)
  for (const { language, weight } of wanted) {
    if (weight <= 0) continue
    if (language === 'no' || language === 'nn') return 'nb'
    if (language in SIGN_TEXTS) return language as SignLanguage
  }
  return 'en'
}
