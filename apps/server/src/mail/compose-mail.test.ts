import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../platform/texts.ts'
import { ARTICLE_OF } from './article-of-mail.ts'
import { composeMail, MAIL_KINDS } from './compose-mail.ts'

const ARTICLES_FOLDER = new URL('../../../support/articles/', import.meta.url)
const ARTICLES = readdirSync(ARTICLES_FOLDER)

const HEAD = {
  name: 'Nordklar AB',
  phone: '031-390 06 10',
  email: 'kundservice@nordklar.example',
  portalUrl: 'https://nordklar.portal.test/',
  checkUrl: 'https://home.nordklar.portal.test/sv/#check',
  articlesUrl: 'https://support.nordklar.portal.test/sv/',
  fill: '#0b5c6b',
  onFill: '#ffffff',
}
const PARAMS = {
  name: 'Alva Provlund',
  about: 'faktura 261185',
  creditor: 'Fjällström Demo Energi AB',
  amount: '842,00 SEK',
  rest: '100,00 SEK',
  surplus: '55,50 SEK',
  day: '2026-12-20',
  withdrawal: 'Du kan ångra dig till och med 2026-12-04.',
  dueDate: '2027-01-15',
  endsOn: '2027-02-15',
  answer: 'Mätaren är läst den 3 mars.',
  left: 'yes',
  reason: '> Jag har <b>aldrig</b> beställt {creditor}.\n> Ring 0900.',
  server: 'hooks.example.com',
  passkey: 'Nyckel i telefonen',
  link: 'https://client.example/oidc/invitation/abc',
}

test('every kind that a debtor gets has an article, and each article is there in every language', () => {
  const isToDebtor = (kind: string): boolean => !/^(dispute_opened|staff_)/.test(kind)
  expect(MAIL_KINDS.length).toBeGreaterThan(30)
  for (const kind of MAIL_KINDS) {
    const article = ARTICLE_OF[kind]
    expect(article !== undefined, kind).toBe(isToDebtor(kind))
    if (article === undefined) continue
    expect(ARTICLES, kind).toContain(article)
    const written = readdirSync(new URL(`${article}/`, ARTICLES_FOLDER))
    expect(written, `${kind}: ${article}`).toEqual(
      expect.arrayContaining(LANGUAGES.map((one) => `${one}.md`)),
    )
  }
})

test('a collection demand leads to the answer about demands, as reminder and notice do', () => {
  const title = readFileSync(new URL('why-reminder/en.md', ARTICLES_FOLDER), 'utf8')
  expect(title).toMatch(/^title: .*reminder.*collection demand/m)
  for (const kind of ['reminder', 'collection_notice', 'demand'] as const)
    expect(ARTICLE_OF[kind], kind).toBe('why-reminder')
})

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(MAIL_KINDS)('%s: the subject is for everybody’s eyes, the text says what it is about', (kind) => {
    const { subject, text, html } = composeMail(kind, language, PARAMS, HEAD)
    for (const value of Object.values(PARAMS)) expect(subject).not.toContain(value)
    expect(subject).not.toMatch(/\d|\{/)
    for (const body of [text, html]) {
      // A password is the person's, whomever they work for; that it or an account was changed leads nowhere.
      const isOfPassword = /^staff_(forgotten|password|factor|recovery|passkey|issuer|payout|payee)/.test(
        kind,
      )
      if (!isOfPassword || kind === 'staff_forgotten')
        expect(body).toContain(kind.startsWith('staff_') ? PARAMS.link : '261185')
      if (!isOfPassword) expect(body).toContain('Fjällström Demo Energi AB')
      expect(body).toContain('Alva Provlund')
      // The creditor has no place in the debtors' portal.
      const isToDebtor = !/^(dispute_opened|staff_)/.test(kind)
      expect([body.includes(HEAD.portalUrl), body.includes(HEAD.checkUrl)]).toEqual([isToDebtor, isToDebtor])
      const [, article] = /support\.nordklar\.portal\.test\/sv\/([a-z-]+)\/["\n]/.exec(body) ?? []
      expect(article !== undefined).toBe(isToDebtor)
      if (article !== undefined) expect(ARTICLES).toContain(article)
      // What somebody typed is filled in last: a mark in it stays a text.
      expect(body.replaceAll('beställt {creditor}', '')).not.toMatch(/\{\w+\}|undefined|mail\.[a-z_]+\./)
    }
    if (kind === 'plan_started') expect(text).toContain('2026-12-20')
    if (kind === 'plan_started') expect(text).toContain('2026-12-04')
    if (kind.startsWith('dispute_') && !/received|opened/.test(kind)) expect(text).toContain(PARAMS.answer)
    if (kind === 'dispute_upheld_in_part') expect(text).toMatch(/100,00 SEK.*2026-12-20/)
    if (kind === 'dispute_opened') {
      expect(text).toContain('\n\n> Jag har <b>aldrig</b> beställt {creditor}.\n\n> Ring 0900.\n\n')
      expect(html).toContain('&#62; Jag har &#60;b&#62;aldrig&#60;/b&#62; beställt {creditor}.</p>')
    }
    if (kind === 'plan_missed') expect(text).toContain('2027-02-15')
    if (kind === 'payment_received_too_much') expect(text).toContain('55,50 SEK')
    if (kind === 'payment_received_in_part') expect(text).toContain('100,00 SEK')
  })
})
