/** The screens of the sites before the portal, and of both staff portals. */
import { readdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Language } from '../testing/browser.ts'
import type { Product } from '../testing/product.ts'
import type { Screen } from '../testing/screen.ts'

const articles = readdirSync(new URL('../../apps/support/articles', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** Of a question, before it says what it is about. */
const BEGINNINGS: Readonly<Record<Language, string>> = {
  sv: 'hur kan jag',
  en: 'how can I',
  nb: 'hvordan kan jeg',
  da: 'hvordan kan jeg',
  fi: 'miten voin',
}

/** Every page of the homepage and the support site, and what their forms answer. */
export function listSiteScreens({ address }: Product): Screen[] {
  const page = (name: string, pathOf: (language: Language) => string): Screen => ({
    name,
    async go(opened, language) {
      await opened.goto(`${address}/${pathOf(language)}`)
      await opened.locator('h1').first().waitFor()
    },
  })
  const home = (name: string, path: string) =>
    page(`homepage, ${name}`, (language) => `home/${language}/${path}`)
  const support = (name: string, path: string) =>
    page(`support, ${name}`, (language) => `support/${language}/${path}`)
  // A link with a message in it only fills the field: whoever presses the button is answered.
  const check = (name: string, typed: string): Screen => ({
    name: `homepage, ${name}`,
    async go(opened, language) {
      await opened.goto(`${address}/home/${language}/`)
      await opened.locator('#message').fill(typed)
      await opened.locator('#check-form button').click()
      await opened.locator('#answer > *').waitFor()
    },
  })
  return [
    home('first', ''),
    {
      name: 'homepage, the door with both fields wrong',
      async go(opened, language) {
        await opened.goto(`${address}/home/${language}/`)
        // The script is there once the services are told.
        await opened.locator('#services[data-state]').waitFor()
        await opened.locator('#paymentReference').fill('26O1')
        await opened.locator('#door button').click()
        await opened.locator('#zip[aria-invalid]').waitFor()
      },
    },
    check('a message is real', '260101314920'),
    check('a message is not', 'SE3550000000054910000003'),
    check('a whole message', 'https://evil.example/ 260101314920'),
    check('nothing was typed', ''),
    home('what waiting costs', 'waiting/'),
    home('what waiting costs, an answer', 'waiting/?amount=500&due=2026-10-02&country=SE&who=consumer'),
    home('what waiting costs, a mistake', 'waiting/?amount=nothing&due=2026-10-02&country=SE&who=consumer'),
    home(
      'what waiting costs, a rate that is not set',
      'waiting/?amount=500&due=2027-12-01&country=FI&who=consumer',
    ),
    home('services', 'services/'),
    home('imprint', 'imprint/'),
    home('privacy', 'privacy/'),
    home('accessibility', 'accessibility/'),
    home('nowhere', 'nowhere/'),
    support('topics', ''),
    support('nowhere', 'nowhere/'),
    ...articles.map((topic) => support(topic, `${topic}/`)),
    {
      name: 'support, more is needed',
      async go(opened, language) {
        await opened.goto(`${address}/support/${language}/`)
        await opened.getByRole('combobox').fill(BEGINNINGS[language])
        await opened.locator('#found:not(:empty)').waitFor()
      },
    },
    {
      name: 'support, answers to a question',
      async go(opened, language) {
        await opened.goto(`${address}/support/${language}/`)
        await opened.getByRole('combobox').fill('BankID')
        await opened.getByRole('option').first().waitFor()
      },
    },
  ]
}

const PASSWORD = 'Kvitt-demo-2026'

async function signIn(page: Page, portal: string, email: string, language: Language): Promise<void> {
  await page.goto(`${portal}#/?lng=${language}`)
  await page.locator('input[type="email"]').fill(email)
  await page.locator('input[type="password"]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.locator('nav a[aria-current="page"]').first().waitFor()
}

const SHARED = [
  ['invoices', 'one'],
  ['claims', 'one'],
  ['debtors', 'one'],
  ['disputes', 'one'],
  ['conversations', 'one'],
  ['plans', 'one'],
  ['payments', 'one'],
  ['settlements', 'one'],
  ['users', 'one'],
  ['account', ''],
] as const
const PORTALS = [
  {
    name: 'creditor',
    path: 'client/',
    email: 'creditor@kvitt.example',
    views: [
      ['todo', 'one'],
      ['figures', ''],
      ['imports', 'one'],
      ['api-keys', 'one'],
      ['webhooks', 'one'],
      ['settings', ''],
    ],
  },
  {
    name: 'operator',
    path: 'admin/',
    email: 'manager@kvitt.example',
    views: [
      ['dashboard', ''],
      ['tasks', 'one'],
      ['payment-batches', 'one'],
      ['suspense', 'one'],
      ['payouts', 'one'],
      ['proposals', 'one'],
      ['jobs', 'one'],
      ['outbox', 'one'],
      ['clients', 'one'],
      ['instance-providers', ''],
      ['country-parameters', ''],
      ['service-providers', ''],
      ['part-payment-plans', ''],
      ['part-payment-accounts', ''],
      ['audit', 'one'],
    ],
  },
] as const

/** Every view of both staff portals, and the first row of each list, opened, where it has one. */
export function listStaffScreens({ address }: Product): Screen[] {
  return PORTALS.flatMap(({ name, path, email, views }) =>
    [...SHARED, ...views].flatMap(([view, row]) => {
      const open = async (page: Page, language: Language): Promise<void> => {
        await signIn(page, `${address}/${path}`, email, language)
        await page.goto(`${address}/${path}#/${view}?lng=${language}`)
        await page.waitForLoadState('networkidle')
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      }
      const list: Screen = { name: `${name}, ${view}`, go: open }
      if (row === '') return [list]
      const one: Screen = {
        name: `${name}, one of ${view}`,
        async go(page, language) {
          await open(page, language)
          const first = page.locator(`main a[href*="#/${view}/"]`).first()
          if ((await first.count()) === 0) return
          await first.click()
          await page.waitForLoadState('networkidle')
        },
      }
      return [list, one]
    }),
  )
}
