/**
 * Run by the build: the start page and the page that opens an invoice in every language. What is a provider's own
 * is left as marks for the server to fill.
 */
import { START_PAGE_MARKS as MARKS, type StartScreens } from '@kvitt/domain/instances/start-page.ts'
import { LANGUAGES, type Language } from '@kvitt/ui/language/languages.ts'
import { speak } from '@kvitt/ui/language/speak.ts'
import type { Messages } from '@lingui/core'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { loginProvidersQuery, queries } from '../calls.ts'
import type { PageInstance } from '../instance.ts'
import { HomePage } from '../sign-in/home-page.tsx'
import { OpeningPage } from '../shell/opening-page.tsx'
import { Surroundings } from '../surroundings.tsx'
import { t } from '../text.ts'
import { LostPage } from './lost-page.tsx'
import { standInForBrowser } from './prerender-world.ts'

const MESSAGES: Readonly<Record<Language, () => Promise<{ default: Messages }>>> = {
  sv: () => import('virtual:language/sv'),
  en: () => import('virtual:language/en'),
  nb: () => import('virtual:language/nb'),
  da: () => import('virtual:language/da'),
  fi: () => import('virtual:language/fi'),
}

/** As much of a provider as these two pages show. */
const instance = {
  name: MARKS.name,
  shortName: MARKS.shortName,
  identificationNumber: MARKS.identificationNumber,
  contactInformation: { phone: MARKS.phone, email: MARKS.email },
  fileInformation: {
    debtorPortalLogotypeFileName: MARKS.logo,
    debtorPortalLoginBackgroundFileName: MARKS.loginBackground,
  },
} as PageInstance

function render(page: ReactNode, identifierPrefix: string): string {
  return renderToString(<Surroundings instance={instance}>{page}</Surroundings>, { identifierPrefix })
}

/** The ways to log in that the start page is prepared for. */
const LOGINS = [['BANKID', 'PAYMENT_REFERENCE'], ['BANKID'], ['PAYMENT_REFERENCE'], []]

/** The HTML of the start page by the ways to log in, of the opening page, and of what is shown when no program comes; all by language. */
export async function renderScreens(): Promise<Record<string, StartScreens>> {
  standInForBrowser()
  const screens: Record<string, StartScreens> = {}
  for (const language of LANGUAGES) {
    speak(language, (await MESSAGES[language]()).default)
    location.hash = `#/${language}/`
    const home = LOGINS.map((codes) => {
      queries.setQueryData(
        loginProvidersQuery.queryKey,
        codes.map((code) => ({ code, enabled: true })),
      )
      const page = <HomePage reference="" zip="" invoiceNumber="" orderRef="" />
      return [codes.join(), render(page, 'start-')]
    })
    screens[language] = {
      home: Object.fromEntries(home) as Record<string, string>,
      description: `${t('home.title')}. ${t('home.trust', { provider: MARKS.name })}`,
      opening: render(<OpeningPage />, 'opening-'),
      lost: render(<LostPage />, 'lost-'),
    }
  }
  return screens
}
