/** What a press on a button, a link or a radio of a screen opens. */
import type { Language } from './browser.ts'
import { ELIAS } from './debtor.ts'
import { CLAIM, goToView, METHODS, PAID, PLANNED, PLANS, sayIn, type Screen } from './screen.ts'

const DISPUTED = { reference: '260123004327', zip: '11122' }
/** Asked for with Swish and never paid. */
const TO_SWISH = { reference: '260220606628', zip: '41105' }
const PDF = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') }

export function listOpenedScreens(at: (language: Language, path: string) => string): Screen[] {
  const claim = `collection-batch/${CLAIM.reference}?zip=${CLAIM.zip}`
  const planned = `invoice/${PLANNED.reference}/${PLANNED.zip}`
  const dialog = (name: string, path: string, button: string, within = 'button'): Screen => ({
    name,
    async go(page, language) {
      await goToView(page, at(language, path), '#payment-heading')
      await page
        .getByRole('button', { name: sayIn(language, button) })
        .first()
        .click()
      await page.getByRole('dialog').locator(within).first().waitFor()
    },
  })
  const plans = (name: string, code: string): Screen => ({
    name,
    async go(page, language) {
      await goToView(page, at(language, `invoice/${PLANS.reference}/${PLANS.zip}`), METHODS)
      await page.locator(`input[value="${code}"]`).check()
      await page.locator('section:has(#payment-heading) dl:visible').first().waitFor()
    },
  })
  const trust = (name: string, path: string, id: string): Screen => ({
    name,
    async go(page, language) {
      await goToView(page, at(language, path), 'main h1')
      await page
        .getByRole('button', { name: sayIn(language, id) })
        .last()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  })
  return [
    trust('is the message genuine', '', 'trust.genuine'),
    trust('why did I get this', `invoice/${PAID.reference}/${PAID.zip}`, 'trust.why'),
    plans('part payment account', 'PART_PAYMENT_ACCOUNT'),
    {
      name: 'menu',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${PAID.reference}/${PAID.zip}`), 'section [data-paid]')
        // Wide windows have its entries in the bar.
        const button = page.getByRole('button', { name: sayIn(language, 'nav.menu'), exact: true })
        if (await button.isVisible()) await button.click()
      },
    },
    {
      name: 'choice of languages',
      async go(page, language) {
        await goToView(page, at(language, 'accessibility'), 'main h2')
        await page.locator('header button[popovertarget]').first().click()
        await page.locator('[popover]:popover-open').first().waitFor()
      },
    },
    {
      name: 'opened rows',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${PLANS.reference}/${PLANS.zip}`), METHODS)
        // Narrow and wide windows have rows of their own, and a picture is taken of each.
        await page.locator('summary').evaluateAll((all) => {
          for (const { parentElement } of all.slice(0, -1))
            if (parentElement instanceof HTMLDetailsElement) parentElement.open = true
        })
        await page.locator('dl').first().waitFor({ state: 'attached' })
      },
    },
    {
      name: 'form that lacks everything',
      async go(page, language) {
        await goToView(page, at(language, ''), 'section[aria-labelledby="choice-heading"]')
        await page.locator('section[aria-labelledby="choice-heading"] button').nth(2).click()
        await page.locator('form button[type="submit"]').click()
        await page.locator('form [aria-invalid="true"]').nth(1).waitFor()
      },
    },
    {
      name: 'dispute that lacks everything',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${ELIAS.reference}/${ELIAS.zip}`), METHODS)
        await page.locator('section[aria-labelledby="wrong-heading"] button').first().click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: sayIn(language, 'dispute.title') })
          .click()
        await page.locator('dialog [aria-invalid="true"]').first().waitFor()
      },
    },
    {
      name: 'question that lacks everything',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${ELIAS.reference}/${ELIAS.zip}`), METHODS)
        await page.locator('section[aria-labelledby="talk-heading"] button').first().click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: sayIn(language, 'talk.send') })
          .click()
        await page.locator('dialog [aria-invalid="true"]').first().waitFor()
      },
    },
    {
      name: 'form for a reference',
      async go(page, language) {
        await goToView(page, at(language, ''), 'section[aria-labelledby="choice-heading"]')
        await page.locator('section[aria-labelledby="choice-heading"] button').nth(1).click()
        await page.locator('form summary').click()
      },
    },
    {
      name: 'code for Swish',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${TO_SWISH.reference}/${TO_SWISH.zip}`), METHODS)
        await page.locator('input[value="DIRECT_PAYMENT_MOBILE"]').check()
        const area = page.locator('section:has(#payment-heading) fieldset')
        const code = area.locator('svg[role="img"], a[href^="swish"]')
        const press = area.getByRole('button', { name: /Swish/ })
        await press.or(code).first().waitFor()
        if (await press.isVisible()) await press.click()
        await code.waitFor()
      },
    },
    {
      name: 'account for a transfer',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${PLANS.reference}/${PLANS.zip}`), METHODS)
        await page.locator('input[value="BANK_TRANSFER"]').check()
        await page.locator('section:has(#payment-heading) dl:visible').first().waitFor()
      },
    },
    {
      name: 'another invoice',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${PAID.reference}/${PAID.zip}`), 'section [data-paid]')
        await page.goto(at(language, `invoice/${ELIAS.reference}/${ELIAS.zip}`))
        await page.getByRole('button', { name: sayIn(language, 'switch.open_other') }).waitFor()
      },
    },
    {
      name: 'part payment plans',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${PLANS.reference}/${PLANS.zip}`), METHODS)
        await page.locator('input[value="PART_PAYMENT_PLAN"]').check()
        await page.locator('input[name="plan"]').first().waitFor()
      },
    },
    {
      name: 'part payment plan to agree to',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${PLANS.reference}/${PLANS.zip}`), METHODS)
        await page.locator('input[value="PART_PAYMENT_PLAN"]').check()
        await page.locator('input[value="PLAN_6"]').check()
        await page.locator('input[type="checkbox"]').waitFor()
      },
    },
    {
      name: 'part payment started',
      async go(page, language) {
        await goToView(page, at(language, planned), '#payment-heading')
        const hash = `#/${language}/confirmation/${PLANNED.reference}/${PLANNED.zip}`
        const state = {
          type: 'INVOICE',
          variant: 'PART_PAYMENT',
          paymentReference: PLANNED.reference,
          ...PLANNED,
        }
        await page.evaluate(([to, told]) => history.pushState(told, '', to), [hash, state] as const)
        await page.reload()
        await page.locator('main dl').waitFor()
      },
    },
    {
      name: 'invoice in a plan',
      go: (page, language) => goToView(page, at(language, planned), 'section li'),
    },
    dialog('pay the rest of a plan', planned, 'plan.repay'),
    dialog('withdraw from a plan', planned, 'plan.withdraw_plan'),
    dialog('more details of a claim', claim, 'claim.more_details', 'summary'),
    dialog('dispute a claim', claim, 'claim.dispute'),
    {
      name: 'dispute with files',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${ELIAS.reference}/${ELIAS.zip}`), METHODS)
        await page.locator('section[aria-labelledby="wrong-heading"] button').first().click()
        const files = [PDF, { ...PDF, name: 'nothing.pdf', buffer: Buffer.alloc(0) }]
        await page.locator('dialog input[type="file"]').setInputFiles(files)
        await page.locator('dialog ul[aria-label] li').waitFor()
        // Above the strip with the buttons.
        await page
          .locator('dialog ul[aria-label] li')
          .evaluate((file) => file.scrollIntoView({ block: 'center' }))
      },
    },
    {
      name: 'disputed invoice with a file',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${DISPUTED.reference}/${DISPUTED.zip}`), '#files-heading')
        await page.locator('input[type="file"]').setInputFiles(PDF)
        await page.locator('section[aria-labelledby="files-heading"] li button').first().waitFor()
      },
    },
  ]
}
