/**
 * What stands in the prerendered start page where the server writes what is a provider's own. The portal is
 * rendered with these values while it is built, so that the same components make the page and what comes after.
 */
export const START_PAGE_MARKS = {
  name: 'kvitt0name',
  shortName: 'kvitt0short0name',
  identificationNumber: 'kvitt0number',
  email: 'kvitt0email',
  /** Digits, because a telephone link keeps nothing else. */
  phone: '0000000000001',
  /** As it is rung from another country. */
  phoneAbroad: 'kvitt0abroad',
  logo: 'kvitt0logo',
  loginBackground: 'kvitt0background',
} as const

/** The first screens in one language, with marks. */
export type StartScreens = {
  /** By the codes of the ways to log in, sorted and with a comma between. */
  readonly home: Readonly<Record<string, string>>
  /** What the page is for, as a sentence: text, not HTML. */
  readonly description: string
  /** While an invoice is fetched. */
  readonly opening: string
  /** When the program could not be fetched. */
  readonly lost: string
}
