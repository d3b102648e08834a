/** What letters and messages print before a number, ours and those of others, in five languages: it says what the number is. */

/** `case`: of a collection case. What a shop's invoice is numbered, nobody here looks up, as little as a case's number. */
export type LabelKind = 'invoice' | 'case' | 'reference' | 'account' | 'phone' | 'company'

const NUMBER = '(?:[-. ]{0,2}(?:nro?|no|nummer|number|numero))?'

const WORDS: Readonly<Record<LabelKind, string>> = {
  invoice: `(?:faktura|invoice|regnings?|laskun?)${NUMBER}`,
  case: `(?:(?:inkasso)?ärende|(?:inkasso)?saks?|(?:inkasso)?sags?|(?:perintä)?asian?|case|claim)${NUMBER}`,
  reference: `(?:ocr|kid|fik|(?:betalnings|betalings|payment )?ref(?:erens|erence|eranse)?|(?:maksu|rf-)?viite)${NUMBER}`,
  account: `(?:bankgiro|bg|plusgiro|pg|iban|swish|konto|tili|account)n?${NUMBER}`,
  phone: `(?:(?:tele)?phone|telefon|tlf|tel|puh(?:elin)?)${NUMBER}`,
  company: `(?:organisations?|organisasjons?|org|cvr|virksomheds|company)${NUMBER}|y-tunnus`,
}
const LABELS = (Object.keys(WORDS) as LabelKind[]).map(
  (kind) =>
    [
      kind,
      new RegExp(`^(?:${WORDS[kind]})(?![\\p{L}\\p{N}])[\\s.:#–-]*(?=\\+?\\(?\\d|[A-Z]{2}\\d)`, 'iu'),
    ] as const,
)

/** The label that `text` begins with and what stands behind it; undefined without one, or where no number follows. */
export function labelOf(text: string): { readonly kind: LabelKind; readonly rest: string } | undefined {
  for (const [kind, pattern] of LABELS) {
    const [label] = pattern.exec(text) ?? []
    if (label !== undefined) return { kind, rest: text.slice(label.length) }
  }
  return undefined
}
