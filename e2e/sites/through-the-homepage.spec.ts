/** Somebody with a message in their hand, who has never heard of the provider. */
import { expect, test } from 'vitest'
import { textOf } from '../../apps/server/src/platform/texts.ts'
import { runBrowser } from '../testing/browser.ts'
import { ALVA, answerAtBank, ELIAS, headline, MAJ, payNow } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('A message is real: its reference is known, and leads through the door to a paid invoice', async () => {
  const page = await browser.open({ language: 'en' })
  await page.goto(`${product.address}/home/`)
  await page.getByRole('heading', { level: 1, name: 'What you owe, made plain.' }).waitFor()
  await page.getByLabel('Link, reference, account or sender').fill('2601 0131 4920')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('Yes, the reference is ours.').waitFor()
  // Never an amount, a name or a day.
  expect(await page.locator('#answer').innerText()).not.toMatch(/\d|Elias/)

  await page.getByRole('textbox', { name: 'Payment reference' }).fill('2601 0131 4920')
  await page.getByRole('textbox', { name: 'Zip code' }).fill('411 05')
  await page.getByRole('button', { name: 'See my invoice' }).click()
  await page.getByRole('heading', { level: 1, name: `Invoice ${ELIAS.number}` }).waitFor()
  await payNow(page)
  await answerAtBank(page, 'Approve')
  await page.getByText('The invoice is closed.').waitFor()
  expect(await headline(page).innerText()).toBe('Thank you for your payment')
})

test('From the link of a text message: it is doubted, checked at the homepage, and paid', async () => {
  const page = await browser.open({ language: 'en' })
  // As the message is written, with the address of the installation and nothing of the debt.
  // The provider's own language is Swedish: whoever is written to in English is led to the portal in English.
  const url = `${product.address.replace('localhost', '127.0.0.1')}/en`
  const sms = textOf('en', 'mail.sms', { instance: 'Nordklar Demo Inkasso AB', url })
  const [link = ''] = /http\S+/.exec(sms) ?? []
  // Whoever doubts it follows no link: the homepage is opened by hand, or through an answer of the support site.
  await page.goto(`${product.address}/support/en/genuine/`)
  await page.getByRole('link', { name: 'Check the message' }).click()
  const field = page.getByLabel('Link, reference, account or sender')
  await field.fill(sms)
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('Yes, what can be checked in the message is ours.').waitFor()
  await field.fill(link)
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('Yes, the link leads to us.').waitFor()

  await page.getByRole('textbox', { name: 'Payment reference' }).fill(MAJ.reference)
  await page.getByRole('textbox', { name: 'Zip code' }).fill(MAJ.zip)
  await page.getByRole('button', { name: 'See my invoice' }).click()
  await page.getByRole('heading', { level: 1, name: `Invoice ${MAJ.number}` }).waitFor()
  await payNow(page)
  await answerAtBank(page, 'Approve')
  await page.getByText('The invoice is closed.').waitFor()
  expect(await headline(page).innerText()).toBe('Thank you for your payment')
})

test.each([true, false])(
  'A text message of ours, whole, leads on to where one logs in, with a script: %s',
  async (javaScript) => {
    const page = await browser.open({ language: 'en', javaScript })
    await page.goto(`${product.address}/home/en/`)
    if (javaScript) await page.locator('#services[data-state]').waitFor()
    const sms = await page.locator('.sms blockquote').innerText()
    await page.getByLabel('Link, reference, account or sender').fill(sms)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.locator('#answer').getByText('Yes, what can be checked in the message is ours.').waitFor()
    await page.getByRole('link', { name: 'Log in and see what it is about' }).click()
    await page.waitForURL(/\/#\/en\/$/)
    if (javaScript) await page.getByText('Choose how to log in').waitFor()
    expect(await page.locator('main').first().isVisible()).toBe(true)
  },
)

test('The pair that is typed at the door stays behind the hash', async () => {
  const page = await browser.open({ language: 'en' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${product.address}/home/en/`)
  await page.getByRole('textbox', { name: 'Payment reference' }).fill(ALVA.reference)
  await page.getByRole('textbox', { name: 'Zip code' }).fill(ALVA.zip)
  await page.getByRole('button', { name: 'See my invoice' }).click()
  await page.getByRole('heading', { level: 1, name: `Invoice ${ALVA.number}` }).waitFor()
  expect(asked.filter((url) => /\?.*(?:zip|paymentReference)=/.test(url))).toEqual([])
})

test.each([true, false])(
  'A reference opens the door as the check knows it, with a script: %s',
  async (javaScript) => {
    const page = await browser.open({ language: 'en', javaScript })
    await page.goto(`${product.address}/home/en/`)
    if (javaScript) await page.locator('#services[data-state]').waitFor()
    const typed = ALVA.reference.replaceAll(' ', '').replace(/(\d{4})(?=\d)/g, '$1-')
    expect(typed).toContain('-')
    await page.getByRole('textbox', { name: 'Payment reference' }).fill(typed)
    await page.getByRole('textbox', { name: 'Zip code' }).fill(ALVA.zip)
    await page.getByRole('button', { name: 'See my invoice' }).click()
    if (javaScript) await page.getByRole('heading', { level: 1, name: `Invoice ${ALVA.number}` }).waitFor()
    else await page.waitForURL(/\/#\/en\/\?paymentReference=\d+&zip=\d+$/)
  },
)

test('The letter and the text message are drawn, and the address in the message is the portal’s', async () => {
  const page = await browser.open({ language: 'en', javaScript: false })
  await page.goto(`${product.address}/home/en/`)
  await page.getByText('Where do I find them?').click()
  await page.getByRole('img', { name: /^A letter:/ }).waitFor()
  const message = page.locator('.sms')
  // The provider's own language is Swedish: whoever is written to in English is led to the portal in English.
  const url = `${product.address.replace('localhost', '127.0.0.1')}/en`
  const sent = textOf('en', 'mail.sms', { instance: 'Nordklar Demo Inkasso AB', url })
  expect(await message.locator('blockquote').innerText()).toBe(sent)
  expect(await message.innerText()).toContain('NordklarDem')
})

test.each([
  ['a reference of nobody', '2601 0492 9824'],
  ['a foreign account', 'SE35 5000 0000 0549 1000 0003'],
  ['a look-alike address', 'https://nordklar.example.evil.test/betala'],
  ['ten thousand characters', 'x'.repeat(10_000)],
  ['a script', '<script>document.title=1</script>'],
])('A false message is recognised: %s', async (_, message) => {
  const page = await browser.open({ language: 'sv' })
  await page.goto(`${product.address}/home/sv/`)
  await page.getByLabel('Länk, referens, konto eller avsändare').fill(message)
  await page.getByRole('button', { name: 'Kontrollera' }).click()
  await page.getByText('Nej, det här känner vi inte igen.').waitFor()
  expect(await page.locator('#answer .yes').count()).toBe(0)
})

test('The name of a shop, or an invoice number, is not called false: it alone tells nothing', async () => {
  const page = await browser.open({ language: 'fi' })
  await page.goto(`${product.address}/home/fi/`)
  for (const [message, said] of [
    ['Kirjakauppa Helsinki', 'Pelkkä nimi ei todista mitään.'],
    ['10045', 'Tätä ei voi päätellä pelkästään tästä.'],
  ] as const) {
    await page.locator('#message').fill(message)
    await page.locator('#check-form button').click()
    await page.getByText(said).waitFor()
    expect(await page.locator('#answer .no, #answer .yes').count()).toBe(0)
  }
})

test('When strangers have asked too much the device calculates, and the question is answered', async () => {
  const page = await browser.open({ language: 'en' })
  const solutions: (string | undefined)[] = []
  // As the server answers once what all have together is used up.
  await page.route('**/api/public/messages/check', (route) => {
    solutions.push(route.request().headers()['challenge-solution'])
    if (solutions.length > 1) return route.continue()
    return route.fulfill({ status: 400, json: { code: 'check_throttled', params: { challenge: 'offered' } } })
  })
  browser.expectTrouble(/messages\/check|status of 400/)
  await page.goto(`${product.address}/home/en/`)
  await page.getByLabel('Link, reference, account or sender').fill(ALVA.reference)
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('Yes, the reference is ours.').waitFor()
  expect(solutions).toEqual([undefined, expect.stringMatching(/^[\w-]+(\.[\w-]+){3}\.\d+$/)])
})

test('Without JavaScript the check answers, the door opens and what waiting costs is worked out', async () => {
  // What is loaded ahead for scripts is not loaded without them.
  browser.expectTrouble(/assets\/.*\.js csp$/)
  const page = await browser.open({ language: 'sv', javaScript: false })
  await page.goto(`${product.address}/home/sv/`)
  await page.getByLabel('Länk, referens, konto eller avsändare').fill(ALVA.reference)
  await page.getByRole('button', { name: 'Kontrollera' }).click()
  await page.getByText('Ja, referensen är vår.').waitFor()

  await page.getByRole('link', { name: 'Vad kostar det att vänta?' }).click()
  await page.getByLabel('Belopp').fill('500')
  await page.getByLabel('Sista dag att betala').fill('2026-10-02')
  await page.getByRole('button', { name: 'Räkna' }).click()
  expect(await page.locator('#result').innerText()).toContain('560,00')

  await page.goto(`${product.address}/support/sv/`)
  await page.getByRole('link', { name: 'Jag har redan betalat' }).click()
  await page.getByRole('button', { name: 'Ja', exact: true }).click()
  await page.getByText('Tack! Ditt svar är räknat.').waitFor()
  await page.goto(`${product.address}/home/sv/`)
  await page.getByRole('textbox', { name: 'Betalningsreferens' }).fill(ALVA.reference)
  await page.getByRole('textbox', { name: 'Postnummer' }).fill(ALVA.zip)
  await page.getByRole('button', { name: 'Visa min faktura' }).click()
  await page.waitForURL(/\/#\/sv\/\?paymentReference=/)
  // The portal does nothing without it: it says so, and whom to ring, and shows no button that would not answer.
  // By their elements: what looks for roles and texts takes it that scripts run, and passes a noscript by.
  const told = page.locator('noscript main')
  expect(await told.innerText()).toContain('Sidan behöver JavaScript')
  expect(await told.locator('a').first().getAttribute('href')).toMatch(/^tel:/)
  expect(await page.locator('main:visible').count()).toBe(1)
  expect(await page.locator('button:visible').count()).toBe(0)
})

test('What waiting costs is worked out in the page, and says what is wrong with a day', async () => {
  const page = await browser.open({ language: 'en' })
  await page.goto(`${product.address}/home/en/waiting/`)
  // The page that the build has written gets its days marked, and stays an example until somebody types.
  await page.getByText('9 October 2026, has passed').waitFor()
  expect(await page.locator('#result > .example').innerText()).toBe('Example')
  await page.getByLabel('Amount').fill('500')
  await page.getByLabel('Last day to pay').fill('2026-10-02')
  await page.getByRole('button', { name: 'Calculate' }).click()
  await page.getByText('560.00').waitFor()
  await page.getByLabel('Amount').fill('nothing')
  await page.getByText('Type an amount of at most 100 million').waitFor()
  expect(await page.getByText('560.00').count()).toBe(0)
})
