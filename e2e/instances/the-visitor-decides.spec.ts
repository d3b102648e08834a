/** Counting, chat and error reports: what happens only with consent, and what never leaves. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { PHONE, runBrowser } from '../testing/browser.ts'
import { ELIAS } from '../testing/debtor.ts'
import { pressOn } from '../testing/keyboard.ts'
import { ownProduct } from '../testing/product.ts'

const HOST = 'nordklar.pay-demo.com'
const product = await ownProduct('it sets where errors are reported, and changes the provider', {
  settings: { ERROR_REPORTING_DSN: 'https://key@errors.pay-demo.com/1' },
})
const browser = await runBrowser()
const live = product.address.replace('localhost', HOST)
const invoice = `#/en/invoice/${ELIAS.reference}/${ELIAS.zip}`

/** Only a demo serves a tenant's host without https, and the browser says so. */
const WITHOUT_HTTPS = /Cross-Origin-Opener-Policy header has been ignored/

type Settings = { code?: string | null; chat?: string | null; mode?: string; hosts?: string[] }

async function setUp({ code = null, chat = null, mode = 'page', hosts = [] }: Settings): Promise<void> {
  await product.readRows(
    `update instance set url_domain = 'pay-demo.com', analytics_code = $1, helpdesk_chat_html = $2, chat_mode = $3,
       chat_hosts = $4 where url_alias = 'nordklar'`,
    [code, chat, mode, hosts],
  )
  // The server looks again after five seconds.
  await new Promise((settle) => setTimeout(settle, 5_200))
}

type Sent = { readonly url: string; readonly body: string }

/** Everything that goes to other hosts, answered as they would. */
async function watchForeign(page: Page): Promise<Sent[]> {
  const sent: Sent[] = []
  await page.context().route(
    (url) => ![HOST, 'localhost'].includes(url.hostname),
    async (route) => {
      const request = route.request()
      sent.push({ url: request.url(), body: request.postData() ?? '' })
      const isScript = request.url().endsWith('.js')
      await route.fulfill({
        headers: { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' },
        contentType: isScript ? 'text/javascript' : 'text/plain',
        body: isScript ? "document.body.dataset.fromHost = 'yes'" : '',
      })
    },
  )
  return sent
}

const banner = (page: Page) => page.getByRole('region', { name: 'May we do this?' })

const CHAT = `<p id="hello">Chat here</p><script>document.body.dataset.inline = 'yes'</script>
<script src="https://chat.pay-demo.com/widget.js"></script><script src="https://other.pay-demo.com/widget.js"></script>`

test('Nothing is counted and no chat is loaded before the visitor agrees; no is remembered', async () => {
  browser.expectTrouble(WITHOUT_HTTPS)
  await setUp({ code: 'G-DEMO1234', chat: CHAT, hosts: ['chat.pay-demo.com'] })
  const page = await browser.open({ viewport: PHONE })
  const sent = await watchForeign(page)
  await page.goto(`${live}/${invoice}`)
  await banner(page).waitFor()
  await expectAccessible(page, 'consent')
  expect(await page.locator('#helpdesk-chat').count()).toBe(0)
  // By keyboard: the banner goes, and the focus goes somewhere.
  await pressOn(banner(page).getByRole('button', { name: 'No thanks' }))
  await page.reload()
  await page.getByRole('button', { name: 'Your choices' }).waitFor()
  await page.waitForTimeout(500)
  expect(await banner(page).count()).toBe(0)
  expect(sent.filter(({ url }) => !url.includes('errors.'))).toEqual([])
})

test('With consent views are counted without saying whose, the chat of the listed host runs, and both can be ended', async () => {
  browser.expectTrouble(WITHOUT_HTTPS)
  await setUp({ code: 'G-DEMO1234', chat: CHAT, hosts: ['chat.pay-demo.com'] })
  const page = await browser.open({ viewport: PHONE })
  const sent = await watchForeign(page)
  await page.goto(`${live}/#/en/`)
  await banner(page).getByRole('button', { name: 'Allow' }).click()
  await page.waitForTimeout(300)
  expect(await page.locator('#helpdesk-chat').count(), 'no chat on the start page').toBe(0)
  await page.goto(`${live}/${invoice}`)
  await page.getByText('Chat here').waitFor()
  await page.waitForFunction(() => document.body.dataset.fromHost === 'yes')
  expect(await page.evaluate(() => document.body.dataset.inline)).toBe('yes')
  expect(sent.map(({ url }) => new URL(url).hostname)).not.toContain('other.pay-demo.com')
  const counted = sent.filter(({ url }) => url.includes('google-analytics'))
  expect(counted.map(({ url }) => new URL(url).searchParams.get('dl'))).toEqual([
    `${live}/en`,
    `${live}/en/invoice`,
  ])
  expect(JSON.stringify(sent)).not.toMatch(new RegExp(`${ELIAS.reference}|${ELIAS.zip}`))

  await page.getByRole('button', { name: 'Your choices' }).click()
  await banner(page).getByRole('button', { name: 'No thanks' }).click()
  await page.locator('#helpdesk-chat').waitFor({ state: 'detached' })
  const before = sent.length
  await page.goto(`${live}/#/en/customerService`)
  await page.waitForTimeout(500)
  expect(sent.slice(before).filter(({ url }) => !url.includes('errors.'))).toEqual([])
})

test('chat.hostile: A hostile chat in a frame reaches nothing of the page', async () => {
  browser.expectTrouble(/./)
  const attack = `<p>framed</p><script>
    const tries = [() => sessionStorage.getItem('invoice_token'), () => localStorage.length,
      () => parent.document.body.remove(), () => { top.location = 'https://evil.pay-demo.com/' },
      () => document.cookie]
    const got = tries.map((attempt) => { try { return String(attempt()) } catch { return 'blocked' } })
    document.body.dataset.got = got.join()
    fetch('/api/instance-providers/default').then(() => { document.body.dataset.call = 'answered' },
      () => { document.body.dataset.call = 'blocked' })
  </script>`
  await setUp({ chat: attack, mode: 'frame' })
  const page = await browser.open({ viewport: PHONE })
  const sent = await watchForeign(page)
  await page.goto(`${live}/${invoice}`)
  await banner(page).getByRole('button', { name: 'Allow' }).click()
  const frame = page.frameLocator('#helpdesk-chat')
  await frame.locator('body[data-call]').waitFor()
  expect(await frame.locator('body').getAttribute('data-got')).toMatch(
    /^(blocked|undefined)(,(blocked|undefined))*$/,
  )
  expect(await frame.locator('body').getAttribute('data-got')).toMatch(/^blocked,blocked,blocked/)
  expect(await frame.locator('body').getAttribute('data-call')).toBe('blocked')
  expect(page.url()).toContain(HOST)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain(ELIAS.number)
  expect(sent.filter(({ url }) => url.includes('evil'))).toEqual([])
})

test('A failed request is reported with the release and without a reference, zip code or address', async () => {
  browser.expectTrouble(/./)
  await setUp({})
  const page = await browser.open({ viewport: PHONE })
  const sent = await watchForeign(page)
  await page.route('**/payment-methods?**', (route) =>
    route.fulfill({ status: 503, body: 'elias@mail.example' }),
  )
  const released = page.waitForResponse(/ping\/version/)
  await page.goto(`${live}/${invoice}`)
  await released
  await page.waitForTimeout(1_000)
  await page.reload()
  await page.waitForTimeout(1_500)
  await page.evaluate(
    ([reference]) => {
      setTimeout(() => {
        throw new Error(`lost ${reference} of elias@mail.example, 411 05`)
      })
    },
    [ELIAS.reference],
  )
  await page.evaluate(() => fetch('/api/public/invoices/999999999990/99999'))
  await page.waitForTimeout(2_000)
  const reports = sent.filter(({ url }) => url.includes('errors.pay-demo.com')).map(({ body }) => body)
  const all = reports.join('\n')
  expect(all).toContain('"release":"kvitt@')
  expect(all).toContain('lost … of …@…')
  expect(all).toMatch(/HTTP Client Error with status code: 4\d\d/)
  expect(all).not.toMatch(new RegExp(`${ELIAS.reference}|${ELIAS.zip}|411 05|elias|999999999990`))
})

test('From this machine nothing is reported', async () => {
  browser.expectTrouble(/./)
  const page = await browser.open({ viewport: PHONE })
  const sent = await watchForeign(page)
  await page.goto(`${product.address}/#/en/invoice/999999999990/99999`)
  await page.waitForTimeout(2_000)
  expect(sent).toEqual([])
})
