import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskDeep, maskRecording, maskText } from './mask.ts'

test.each([
  [
    'https://pay.example.com/#/sv/invoice/260101314920/41105?invoiceNumber=261037',
    'https://pay.example.com/#/sv/invoice/…?…',
  ],
  [
    'GET /api/public/invoices/260101314920/411%2005/events?limit=-1 failed',
    'GET /api/public/invoices/…?… failed',
  ],
  ['#/fi/?paymentReference=2601&zip=00100&autologin=false', '#/fi/?…'],
  ['write to elias.berg@mail.example please', 'write to …@… please'],
  ['19900101-2384 or 900101 2384', '… or …'],
  ['zip 411 05', 'zip …'],
  ['Faktura 261037 – Nordklar', 'Faktura … – Nordklar'],
  ['https://pay.example.com/assets/index-12345678.js', 'https://pay.example.com/assets/index-12345678.js'],
  ['Is it true? Yes, 100 kr', 'Is it true? Yes, 100 kr'],
  ['/api/storage/invoice-2610.37.pdf', '/api/storage/…'],
])('%s becomes %s', (text, masked) => {
  expect(maskText(text)).toBe(masked)
})

const digits = (least: number, most: number) =>
  fc.stringMatching(new RegExp(`^[1-9][0-9]{${least - 1},${most - 1}}$`))
const place = fc.constantFrom(
  (r: string, z: string, e: string) => ({
    request: { url: `https://x.example/#/sv/invoice/${r}/${z}`, headers: { Referer: e } },
  }),
  (r: string, z: string, e: string) => ({ message: `no answer for ${r}/${z} of ${e}` }),
  (r: string, z: string, e: string) => ({
    breadcrumbs: [{ data: { from: `/${r}`, to: `?zip=${z}`, text: e } }],
  }),
  (r: string, z: string, e: string) => ({ contexts: { [r]: { [e]: [z, [r, e]] } } }),
  (r: string, z: string, e: string) => ({
    spans: [{ description: `GET /api/public/invoices/${r}/${z}`, op: e }],
  }),
  (r: string, z: string, e: string) => ({ transaction: `/sv/invoice/${r}/${z}`, user: { email: e, id: r } }),
)

test('no reference, zip code or e-mail address survives, wherever it stands', () => {
  fc.assert(
    fc.property(digits(4, 25), digits(4, 5), fc.emailAddress(), place, (reference, zip, email, build) => {
      const text = JSON.stringify(maskDeep(build(reference, zip, email)))
      expect(text).not.toContain(reference)
      expect(text).not.toContain(zip)
      expect(text).not.toContain(email.slice(0, email.indexOf('@') + 1))
    }),
    { numRuns: 500 },
  )
})

test('what the receiving service needs stays', () => {
  const event = {
    event_id: '0123456789abcdef0123456789abcdef',
    timestamp: 1795294354.55,
    release: 'kvitt@0.1.0',
    exception: { values: [{ type: 'TypeError', stacktrace: { frames: [{ lineno: 12345, colno: 3 }] } }] },
  }
  expect(maskDeep(event)).toEqual(event)
})

test('a recording keeps its times and loses its addresses', () => {
  const recording =
    '{"segment_id":0}\n[{"href":"https://x.example/#/sv/invoice/2601/41105","timestamp":1795294354550}]'
  expect(maskRecording(recording)).toBe(
    '{"segment_id":0}\n[{"href":"https://x.example/#/sv/invoice/…","timestamp":1795294354550}]',
  )
})
