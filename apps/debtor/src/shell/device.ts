/** What the device is, as far as logging in depends on it. */
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { writeHash } from '@kvitt/ui/routes.ts'

type Device = Pick<Navigator, 'userAgent' | 'maxTouchPoints'> & {
  readonly userAgentData?: { readonly mobile?: boolean }
}

/** A phone or tablet, where the app of the electronic ID probably is. */
export function isMobile({ userAgent, maxTouchPoints, userAgentData }: Device = navigator): boolean {
  if (userAgentData?.mobile) return true
  // An iPad says that it is a Mac; no Mac has a touch screen.
  return /Android|iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

const isIos = (userAgent: string): boolean => /iPhone|iPad|iPod/.test(userAgent)

/**
 * A browser inside another app (of a social network, of mail): the app of the electronic ID finds no way back
 * to it. Told by the names that such browsers add, by Android's mark for a web view, and on iOS by the lack of
 * a browser's own name.
 */
export function isInsideAnotherApp(userAgent: string): boolean {
  if (!/Android|iPhone|iPad|iPod/.test(userAgent)) return false
  if (
    /FBAN|FBAV|Instagram|Line\/|MicroMessenger|Snapchat|TikTok|musical_ly|LinkedInApp|Twitter|GSA\//.test(
      userAgent,
    )
  ) {
    return true
  }
  if (/; wv\)/.test(userAgent)) return true
  return isIos(userAgent) && !/Safari\/|CriOS|FxiOS|EdgiOS|OPiOS|OPT\//.test(userAgent)
}

/**
 * Where the app returns to. Android and computers keep the tab, so nothing is named there; on iOS the page is
 * opened again, with the order that it goes on with (specification section 4).
 */
export function returnAddress(
  userAgent: string,
  origin: string,
  query: Readonly<Record<string, string>>,
): string | undefined {
  if (!isIos(userAgent)) return undefined
  if (/CriOS/.test(userAgent)) return 'googlechrome://'
  if (/FxiOS/.test(userAgent)) return 'firefox://'
  return `${origin}/${writeHash(currentLanguage(), [], query)}`
}

/** The link that opens the app for an order; it has to be pressed, not followed by a script. */
export function appLink(autoStartToken: string, back: string | undefined, mobile: boolean): string {
  const base = mobile ? 'https://app.bankid.com/' : 'bankid:///'
  const redirect = back === undefined ? 'null' : encodeURIComponent(back)
  return `${base}?autostarttoken=${encodeURIComponent(autoStartToken)}&redirect=${redirect}`
}
