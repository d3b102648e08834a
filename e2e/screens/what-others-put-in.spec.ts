/** Whatever creditors, debtors, files and providers have put into texts and pictures is shown, and does nothing. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { HOSTILE_PICTURES, MARK } from '../../apps/server/src/testing/files/hostile-pictures.ts'
import { LANGUAGES, runBrowser } from '../testing/browser.ts'
import { HOSTILE_TEXTS } from '../testing/hostile-texts.ts'
import { ownProduct } from '../testing/product.ts'
import { halfOf, sampleFor } from '../testing/sample.ts'
import { listScreens, preparePayments } from '../testing/screens.ts'

const product = await ownProduct('it changes every name, the provider’s too')
const browser = await runBrowser()
await preparePayments(product)

/** What came from others and is shown: everything that is no number, code, day or way. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  instance: ['name', 'phone', 'identification_number'],
  creditor: ['name', 'address', 'address2', 'city', 'phone', 'email'],
  debtor: ['name', 'address', 'address2', 'city', 'email'],
  payment_account: ['receiver_name', 'bank_name'],
  invoice: ['property'],
  document: ['name_raw'],
  dispute: ['reason'],
  payment: ['payee_name'],
}

/** A provider's own texts have at most 100 characters. */
const SHORT = `"><svg onload=alert(1)>'</script><script>alert(1)</script>{{7*7}}<img src=x onerror=alert(1)>`

/** What a page does that only a text which ran would make it do. */
async function listen(page: Page): Promise<string[]> {
  const heard: string[] = []
  page.on('dialog', (dialog) => {
    heard.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => void heard.push(`popup ${popup.url()}`))
  // What the policy stops is told as a violation; an answer means that something was fetched.
  page.on('response', (answer) => {
    const { hostname, pathname } = new URL(answer.url())
    if (!['localhost', '127.0.0.1', ''].includes(hostname) || pathname.includes(MARK)) {
      heard.push(`fetched ${answer.url()}`)
    }
  })
  await page.exposeFunction('noteViolation', (text: string) => void heard.push(text))
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (e) => noteViolation('policy ' + e.violatedDirective + ' ' + e.sample))`,
  )
  return heard
}

/** Elements and attributes that no screen of ours has. */
const FOREIGN = `script:not([src]):not([nonce]), [onerror], [onload], [onfocus], [ontoggle], [onmouseover], img[src="x"], iframe, object, embed, base,
  marquee, math, form[action^="java"], a[href^="java" i], a[href^="data"], a[href^="vb"], [style*="evil"], link[href*="evil"]`

async function expectHarmless(page: Page, heard: readonly string[], where: string): Promise<void> {
  expect(await page.evaluate(() => Reflect.has(globalThis, 'ran')), where).toBe(false)
  expect(await page.locator(FOREIGN).count(), where).toBe(0)
  expect(heard, where).toEqual([])
}

test('xss.corpus: 150 texts in every name, address and reason run on no screen', {
  timeout: 1_200_000,
}, async () => {
  expect(new Set(HOSTILE_TEXTS).size).toBeGreaterThanOrEqual(150)
  const all = HOSTILE_TEXTS.join(' ')
  for (const [table, columns] of Object.entries(SHOWN)) {
    for (const column of columns) {
      const text = table === 'instance' ? SHORT : all
      await product.readRows(`update ${table} set ${column} = $1`, [text])
    }
  }
  // The server looks at its providers again after five seconds.
  await new Promise((settle) => setTimeout(settle, 5_200))
  let seen = 0
  const screens = halfOf(listScreens(product), 0)
  for (const [place, screen] of screens.entries()) {
    for (const language of sampleFor(place, LANGUAGES)) {
      if (screen.trouble) browser.expectTrouble(screen.trouble)
      const page = await browser.open({ language })
      const heard = await listen(page)
      await screen.go(page, language)
      await expectHarmless(page, heard, `${screen.name} in ${language}`)
      if ((await page.locator('body').innerText()).includes('<svg onload=alert')) seen++
      await page.context().close()
    }
  }
  // Where one of them is more than text, it is heard and seen.
  const page = await browser.open()
  const heard = await listen(page)
  await page.route(`${product.address}/`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: (await answer.text()).replace('</body>', `${all}</body>`) })
  })
  await page.goto(`${product.address}/`)
  await expect.poll(() => heard.length).toBeGreaterThan(0)
  expect(await page.locator(FOREIGN).count()).toBeGreaterThan(0)
  browser.expectTrouble(/./)
  // They were there to be seen, as text.
  expect(seen).toBeGreaterThan(screens.length / 2)
})

test('upload.svg: no drawing that is opened by itself runs or fetches anything', async () => {
  browser.expectTrouble(new RegExp(`${MARK}|Content Security Policy|sandbox|XML| csp$`, 'i'))
  const page = await browser.open()
  const heard = await listen(page)
  let name = ''
  for (const [n, drawing] of HOSTILE_PICTURES.entries()) {
    const [file] = await product.readRows<{ name: string }>(
      `update file set content = $1 where public_name = (select logo_name from instance where url_alias = 'nordklar')
       returning public_name as name`,
      [Buffer.from(drawing)],
    )
    name = file?.name ?? ''
    await page.goto(`${product.address}/api/storage/${name}?${n}`, { waitUntil: 'commit' })
    await page.mouse.click(5, 5)
    await page.waitForTimeout(50)
    expect(await page.title(), drawing).not.toBe(MARK)
    expect(
      heard.filter((what) => !what.startsWith('policy')),
      drawing,
    ).toEqual([])
  }
  // Without the policy the first of them does run.
  await page.route('**/api/storage/**', async (route) => {
    const answer = await route.fetch()
    const { 'content-security-policy': _, ...headers } = answer.headers()
    await route.fulfill({ response: answer, headers })
  })
  await product.readRows(`update file set content = $1 where public_name like 'logo%'`, [
    Buffer.from(HOSTILE_PICTURES[0] ?? ''),
  ])
  await page.goto(`${product.address}/api/storage/${name}?without`, { waitUntil: 'commit' })
  await expect.poll(() => page.title()).toBe(MARK)
})
