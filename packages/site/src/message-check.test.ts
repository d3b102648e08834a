import { expect, test } from 'vitest'
import type { MessageKind } from '@kvitt/domain/messages/message-check.contract.ts'
import { htmlOf } from './element.ts'
import { answerTo, checkAnswer, checkTyped, MOST_PARTS } from './message-check.ts'
import { wordsOf } from './words.ts'

test.each([
  'Tele2',
  '10045',
  'INV-2026-0012',
  'F20331',
  'Fakturanr: 26010131492059',
  'Invoice 10045',
  'Laskun numero 1234561',
  '123456789',
  // Its check digit fits by 7-3-1, as that of every tenth invoice number does.
  '1234561',
  '50501055',
  'Ärendenummer 702369',
  'Saksnummer 702369',
])('%j alone tells nothing, though nobody knows it', (typed) => {
  expect(answerTo(typed, false)).toBe('alone')
  expect(answerTo(typed, true)).toBe('yes')
})

test.each([
  '2601 0492 9824',
  'OCR 123456789',
  'Bankgiro: 5050-1056',
  '1234 56 78903',
  'Organisationsnummer 559999-0024',
  'Telefon 031-390 06 11',
  'Tili FI05 1234 5600 0007 85',
  'Referens nr 2601 0131',
  'RF18 5390 0754 7034',
  'SE35 5000 0000 0549 1000 0003',
  '+46 31 390 06 11',
  '031-390 06 11',
  '123 456 78 90',
  'https://nordklar.example.evil.test/betala',
  'kund@evil.test',
  '<script>document.title=1</script>',
  'x'.repeat(10_000),
])('%j is something that we would know', (typed) => {
  expect(answerTo(typed, false)).toBe('no')
})

test.each(['5050-1055', '5050-1056', '505-1055', '2026-0012', '12 34 56-7', '5050‑1056'])(
  '%j is written as a giro is: no account that we know, and of an invoice number it says nothing',
  (typed) => {
    expect(answerTo(typed, false)).toBe('account')
    expect(answerTo(typed, true)).toBe('yes')
    const html = htmlOf(checkAnswer({ answer: 'account', text: typed }, wordsOf('en')))
    expect(html).toContain('class="answer no"')
    expect(html).toMatch(/not pay to it.*invoice number/)
  },
)

test.each(['Bokhandeln i Göteborg', 'Fiskars & Co', 'Postnord', 'Klarna'])(
  'the name %j alone proves nothing, whoever has it',
  (typed) => {
    expect(answerTo(typed, false)).toBe('name')
  },
)

/** As the server answers of these; everything else it does not know. */
const OURS: Readonly<Record<string, MessageKind>> = {
  '2601 0131 4920': 'reference',
  'OCR 2601 0131 4920': 'reference',
  'Bankgiro 5050-1055': 'account',
  'https://nordklar.example/': 'link',
  Nordklar: 'name',
  'tel 031-390 06 10': 'sender',
}

async function check(typed: string): Promise<{ html: string; asked: string[] }> {
  const asked: string[] = []
  const result = await checkTyped(typed, async (text) => {
    asked.push(text)
    const what = OURS[text]
    return what
      ? { genuine: true, what }
      : { genuine: false, ...(text === 'Nordklarr' && { spelling: 'Nordklar' }) }
  })
  const phone = { text: '031-390 06 10', href: '+46313900610' }
  const html = htmlOf(checkAnswer(result, wordsOf('en'), { phone, portal: 'https://nordklar.example/en/' }))
  return { html, asked }
}

test.each([
  ['Nordklar', 'This is our name.', 'Anybody can write it'],
  ['2601 0131 4920', 'Yes, the reference is ours.', 'Now check the account.'],
  ['Bankgiro 5050-1055', 'Yes, we know the account.', 'Now check the reference.'],
  [
    'https://nordklar.example/',
    'Yes, the link leads to us.',
    'If the message has a reference or an account, check that too.',
  ],
])('a yes says what was recognised: %s', async (typed, ...said) => {
  const { html } = await check(typed)
  for (const one of said) expect(html).toContain(one)
  expect(html).toContain('class="answer yes"')
})

test('a name that is nearly ours is told how ours is spelt, and not to pay', async () => {
  const { html } = await check('Nordklarr')
  expect(html).toContain('class="answer no"')
  expect(html).toContain('Not our name: it is spelt Nordklar.')
  expect(html).toContain('Do not pay.')
  expect(html).toContain('href="tel:+46313900610"')
})

test('a reference and its postal code lead on to the door with both', async () => {
  const { html, asked } = await check('2601 0131 4920 411 05')
  expect(asked).toEqual(['2601 0131 4920'])
  expect(html).toContain('href="?paymentReference=260101314920&amp;zip=41105"')
})

test('the text message of the homepage is true, and so is a message whose every part is ours', async () => {
  const t = wordsOf('sv')
  const sms = t('sms.text', { instance: 'Nordklar', url: 'https://nordklar.example/' })
  expect((await check(sms)).html).toContain('Yes, what can be checked in the message is ours.')
  const { html, asked } = await check(
    'Betala OCR 2601 0131 4920 till Bankgiro 5050-1055, https://nordklar.example/',
  )
  expect(asked).toHaveLength(3)
  expect(html.match(/<li>/g)).toHaveLength(3)
  expect(html).toContain('class="answer yes"')
})

test.each(['https://nordklar.example/', 'You have a message from Nordklar: https://nordklar.example/'])(
  'a message that holds our link alone leads on to where one logs in: %s',
  async (typed) => {
    const { html } = await check(typed)
    expect(html).toContain('class="answer yes"')
    expect(html).toContain('<a class="button" href="https://nordklar.example/en/">Log in and see')
  },
)

test('a reference beside our link leads to its invoice, and a link that is not ours leads nowhere', async () => {
  const invoice = (await check('OCR 2601 0131 4920, https://nordklar.example/')).html
  expect(invoice).toContain('data-pair')
  expect(invoice.match(/class="button"/g)).toHaveLength(1)
  const { html } = await check('https://nordklar.example/ eller https://evil.test/')
  expect(html).not.toContain('class="button"')
  expect((await check('Nordklar')).html).not.toContain('class="button"')
})

test.each([
  'Betala OCR 2601 0131 4920 till Bankgiro 5050-1056',
  'Betala OCR 2601 0131 4920 på https://nordklar.example.evil.test/',
  'https://nordklar.example/ eller https://evil.test/',
])('one thing that is not ours makes the whole message a no: %s', async (typed) => {
  const { html } = await check(typed)
  expect(html).toContain('class="answer no"')
  expect(html).toContain('not ours')
  expect(html).not.toContain('data-pair')
})

test('a phone number of somebody else is called one, and asked about as one', async () => {
  const { html, asked } = await check('Ring 22 33 44 55 om saken din')
  expect(asked).toEqual(['tel 22 33 44 55'])
  expect(html).toContain('class="answer no"')
  expect(html).toContain('<b>22 33 44 55</b>: a phone number that is not ours')
  expect((await check('Swish 1490 kr till 070-123 45 67')).html).not.toContain('1490')
  const ours = await check('Ring 031-390 06 10 om saken din')
  expect(ours.html).toContain('<b>031-390 06 10</b>: our address or phone number')
})

test('of more than is asked about at once no yes is said', async () => {
  const many = Array.from({ length: 30 }, (_, n) => `https://nordklar.example/?${n}`).join(' ')
  const asked: string[] = []
  const result = await checkTyped(many, async (text) => {
    asked.push(text)
    return { genuine: true, what: 'link' }
  })
  expect(asked).toHaveLength(MOST_PARTS)
  expect(result).toMatchObject({ answer: 'alone', isMore: true })
})

test('ten thousand letters are read, more are too long, and what is typed is never markup', async () => {
  expect((await check('x'.repeat(10_000))).asked).toHaveLength(1)
  expect((await check('x'.repeat(10_001))).html).toContain('too long')
  const { html } = await check(
    '<img src=x onerror=alert(1)> https://evil.test/"><script>alert(1)</script> hej du',
  )
  expect(html).not.toMatch(/<img|<script/)
})

test('a question that is not answered makes no part of an answer', async () => {
  const result = await checkTyped('https://nordklar.example/ 5050-1055', async (text) =>
    text.startsWith('https') ? { genuine: true, what: 'link' } : 'later',
  )
  expect(result.answer).toBe('later')
  expect(result.parts).toBeUndefined()
})
