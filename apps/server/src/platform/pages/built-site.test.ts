/** The homepage and the support site, as they are sent. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { doorForm } from '@kvitt/site/door-form.ts'
import { checkForm } from '@kvitt/site/message-check.ts'
import { el } from '@kvitt/site/element.ts'
import { helpedForm } from '@kvitt/site/helped.ts'
import { renderPage, type Site } from '@kvitt/site/frame.ts'
import { mark, region } from '@kvitt/site/marks.ts'
import { sharedPages } from '@kvitt/site/shared-pages.ts'
import { wordsOf } from '@kvitt/site/words.ts'
import { forgetOldAnswers } from '../../articles/articles.ts'
import { buildInstance, buildInvoice, testClock, type BuiltInvoice } from '../../testing/build.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { LANGUAGES, textOf } from '../texts.ts'

let server: TestServer
/** The default instance's own host, and one that all portals share. */
const OWN = 'nordklar.portal.test'
const SHARED = 'localhost'
/** Where the server is reached, whatever port a request names. */
const PLACE = 'http://localhost:8443'
let invoice: BuiltInvoice
const clock = testClock()

/** A built site with the pages that both have, a first page with the check, and an article. */
function buildSite(site: Site): string {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-site-'))
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const page of sharedPages(site))
    write(`pages/${page.language}/${page.path}page.html`, renderPage(page))
  for (const language of ['sv', 'fi'] as const) {
    const t = wordsOf(language)
    const page = { site, language, title: 'Start', description: 'Start' }
    write(
      `pages/${language}/page.html`,
      renderPage({ ...page, path: '', main: [region('door', doorForm(t)), region('check', checkForm(t))] }),
    )
    write(
      `pages/${language}/imprint/page.html`,
      renderPage({
        ...page,
        path: 'imprint/',
        main: [
          mark('supervisor'),
          region('company-number', 'x'),
          region('address', false),
          el('b', {}, mark('smsAddress')),
        ],
      }),
    )
    write(
      `pages/${language}/paying/page.html`,
      renderPage({ ...page, path: 'paying/', main: region('helped', helpedForm(t)) }),
    )
  }
  write('sitemap.xml', `<urlset><loc>%%${site}Whole%%/sv/</loc></urlset>`)
  write('assets/main-1.js', '1')
  write('worker.js', '2')
  return folder
}

function buildDebtorPortal(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-site-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html lang="sv"></html>')
  writeFileSync(join(folder, 'screens.json'), '{}')
  return folder
}

beforeAll(async () => {
  const portalFolders = {
    debtor: buildDebtorPortal(),
    home: buildSite('home'),
    support: buildSite('support'),
  }
  server = await startTestServer({ clock, portalFolders, settings: { PUBLIC_URL: PLACE } })
  await server.test.owner.query(
    `update instance set name = 'Berg & <b>Söner</b> AB', logo_name = 'berg.svg', favicon_name = 'icon.svg' where id = $1`,
    [server.instanceId],
  )
  invoice = await buildInvoice(server.test, server.instanceId, clock)
})

type Sent = { host?: string; headers?: Record<string, string>; method?: 'GET' | 'POST'; payload?: string }

async function get(url: string, { host = SHARED, headers = {}, method = 'GET', payload }: Sent = {}) {
  const answer = await server.product.app.inject({
    method,
    url,
    headers: { host, accept: 'text/html', ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: answer.statusCode, html: answer.body, headers: answer.headers }
}

test('a page is filled with what is the provider’s, escaped for where it stands', async () => {
  const { status, html, headers } = await get('/home/sv/')
  expect(status).toBe(200)
  expect(html).toContain('<strong>Berg &amp; &lt;b&gt;Söner&lt;/b&gt; AB</strong>')
  expect(html).toContain('"name":"Berg & \\u003cb>Söner\\u003c/b> AB"')
  expect(html).not.toMatch(/%%|<b>Söner/)
  expect(html).toContain('--fill:#0b5c6b')
  const [, nonce] = /nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
  expect(html).toContain(`<style nonce="${nonce}">`)
  expect(headers['set-cookie']).toBeUndefined()
})

test('when customer service answers stands on every page, in the page’s language', async () => {
  const said = { sv: 'Vardagar 9–16 <b>', fi: 'Arkisin klo 9–16' }
  await server.test.owner.query('update instance set service_texts = $2 where id = $1', [
    server.instanceId,
    said,
  ])
  const read = async (path: string) => (await get(path)).html
  await expect.poll(() => read('/home/sv/'), { timeout: 10_000 }).toContain('>Vardagar 9–16 &lt;b&gt;</span>')
  expect(await read('/support/fi/')).toContain('>Arkisin klo 9–16</span>')
  expect(await read('/home/en/')).not.toMatch(/9–16|serviceText/)
})

test('a phone number is written as it is rung from where the language is spoken, and leads there from anywhere', async () => {
  await server.test.owner.query(`update instance set phone = '031-390 06 10', country = 'SE' where id = $1`, [
    server.instanceId,
  ])
  const read = async (language: string) => (await get(`/home/${language}/`)).html
  await expect
    .poll(() => read('sv'), { timeout: 10_000 })
    .toContain('<a href="tel:+46313900610">031-390 06 10</a>')
  expect(await read('fi')).toContain('<a href="tel:+46313900610">+46 31 390 06 10</a>')
  expect(await read('fi')).toContain('"telephone":"+46 31 390 06 10"')
})

test('the words of a page wait for nothing: its logo comes after the first look, into room of its own', async () => {
  const { html } = await get('/home/sv/')
  expect(html).toContain('<span class="logo" data-src="/api/storage/berg.svg">')
  // Whoever has no script sees it all the same; nobody else asks for it from the page's text.
  const [withoutScript = ''] = /<noscript><img.*?<\/noscript>/.exec(html) ?? []
  expect(withoutScript).toContain('<img src="/api/storage/berg.svg" alt="" width="30" height="30">')
  expect(html.replace(withoutScript, '')).not.toContain('<img')
  expect(html).not.toMatch(/<link rel="(?:stylesheet|preload)|<script src/)
  // The icon, too: a browser asks for it before it shows the words.
  expect(html.match(/<link rel="icon"[^>]*>/g)).toEqual([
    expect.stringMatching(
      /^<link rel="icon" href="data:image\/svg\+xml,[^"]+" data-src="\/api\/storage\/icon\.svg">$/,
    ),
    '<link rel="icon" href="/api/storage/icon.svg">',
  ])
  expect(html).toContain('<noscript><link rel="icon" href="/api/storage/icon.svg"></noscript>')
})

test('without a language the visitor’s is read, else the provider’s', async () => {
  expect((await get('/home/', { headers: { 'accept-language': 'fi,en;q=0.5' } })).html).toContain(
    '<html lang="fi">',
  )
  expect((await get('/support/')).html).toContain('<html lang="sv">')
  expect((await get('/home')).headers.location).toBe('/home/')
  expect((await get('/home/sv')).headers.location).toBe('/home/sv/')
})

test('at its own host a site stands without its path, and names the other portals whole', async () => {
  const home = await get('/sv/', { host: `home.${OWN}` })
  expect(home.status).toBe(200)
  expect(home.html).toContain('href="/sv/imprint/"')
  expect(home.html).toContain('href="http://support.nordklar.portal.test:8443/sv/"')
  const policy = home.headers['content-security-policy']
  expect(policy).toContain("form-action 'self' http://nordklar.portal.test:8443")
  const shared = await get('/home/sv/')
  expect(shared.html).toContain('href="/support/sv/"')
  expect(shared.html).toContain('rel="canonical" href="http://localhost:8443/home/sv/"')
  expect(home.html).toContain('rel="canonical" href="http://home.nordklar.portal.test:8443/sv/"')
})

test('the Host of a request is in no address of a page or a file for search engines', async () => {
  const paths = ['sv/', 'sitemap.xml', 'robots.txt', 'sv/waiting/?amount=1']
  const shared = paths.map((path) => [`/home/${path}`, 'anybody.localhost:6666'] as const)
  const own = paths.map((path) => [`/${path}`, `home.${OWN}:6666`] as const)
  for (const [url, host] of [...shared, ...own]) {
    const { status, html } = await get(url, { host })
    expect([status, html.includes('6666'), html.includes('anybody')], host + url).toEqual([200, false, false])
  }
})

test.each([
  '/home/xx/',
  '/home/sv/nothing/',
  '/home/xx/<script>/',
  `/support/sv/${'x'.repeat(10_000)}/`,
  '/home/sv/lost/',
])('what is not there is said in words: %s', async (url) => {
  const { status, html } = await get(encodeURI(url))
  expect(status).toBe(404)
  expect(html).toContain('<h1>Sidan finns inte</h1>')
  expect(html).not.toContain('<script>/')
})

test('the imprint has the postal address where the provider has one, escaped, and who supervises its country', async () => {
  const address = async (postalAddress: string | null) => {
    await server.test.owner.query('update instance set postal_address = $2 where id = $1', [
      server.instanceId,
      postalAddress,
    ])
    const shown = () => get('/home/sv/imprint/')
    // A provider is looked at again after five seconds.
    await expect
      .poll(async () => (await shown()).html.split('Postadress').length, { timeout: 8_000 })
      .toBe(postalAddress === null ? 1 : 2)
    return (await shown()).html
  }
  expect(await address('Gränd 1 <b>, 411 05 Göteborg')).toContain(
    '<dt>Postadress</dt><dd>Gränd 1 &lt;b&gt;, 411 05 Göteborg</dd>',
  )
  const none = await address(null)
  expect(none).not.toContain('Postadress')
  expect(none).toContain('Finansinspektionen (inkassolagen, 1974:182)Organisationsnummer')
  // A Finn reads what the Swedish register calls it, beside a word of their own.
  expect((await get('/home/fi/imprint/')).html).toContain('Yrityksen tunnus (Organisationsnummer)')
}, 20_000)

test('a message is checked without a script, and what was typed stands there as text', async () => {
  const ask = async (message: string) => (await get(`/home/sv/?message=${encodeURIComponent(message)}`)).html
  expect(await ask(invoice.reference)).toContain('Ja, referensen är vår.')
  expect(await ask('7'.repeat(12))).toContain('Nej, det här känner vi inte igen.')
  expect(await ask('Bokhandeln i Göteborg')).toContain('Ett namn ensamt bevisar ingenting.')
  const empty = await ask('')
  expect(empty).toContain('Skriv länken, referensen, kontot eller avsändaren först.')
  expect(empty).toMatch(/<textarea id="message"[^>]* aria-invalid="true" aria-describedby="answer" autofocus/)
  const hostile = await ask(`"><script>alert(1)</script>`)
  expect(hostile).toContain('>&quot;&gt;&lt;script&gt;')
  expect(await ask('$&'.repeat(5_000))).toContain('Nej')
})

test('twenty thousand letters are answered by the page itself, also through a real connection', async () => {
  const address = `${server.product.app.listeningOrigin}/home/sv/?message=${'x'.repeat(20_000)}`
  const answer = await fetch(address, { headers: { accept: 'text/html' } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  expect(await answer.text()).toContain('Texten är för lång. Klistra in högst 10 000 tecken.')
  // Also to whoever has typed the address.
  const typed = await get(`/home/sv/?message=${'x'.repeat(20_000)}`, {
    headers: { 'sec-fetch-site': 'none' },
  })
  expect(typed.html).toContain('Texten är för lång. Klistra in högst 10 000 tecken.')
})

test('a message with our link alone leads on to where one logs in, in its language, at each host', async () => {
  const sms = encodeURIComponent(`Du har ett meddelande från Nordklar: http://${OWN}/`)
  const way = (html: string) => /<a class="button" href="([^"]*)">[^<]*<\/a><\/p><\/div>/.exec(html)?.[1]
  expect(way((await get(`/home/sv/?message=${sms}`)).html)).toBe('/sv/')
  const own = await get(`/fi/?message=${sms}`, { host: `home.${OWN}` })
  expect(way(own.html)).toBe(`http://${OWN}:8443/fi/`)
})

test('the door opens without a script in the form that the books have, at each host', async () => {
  const typed = `paymentReference=${encodeURIComponent('2601-0131 4920')}&zip=411+05`
  const shared = await get(`/home/sv/?${typed}`)
  expect(shared.status).toBe(303)
  expect(shared.headers.location).toBe('/#/sv/?paymentReference=260101314920&zip=41105')
  expect(shared.headers['cache-control']).toBe('no-store')
  const own = await get(`/fi/?${typed}`, { host: `home.${OWN}` })
  expect(own.headers.location).toBe(`http://${OWN}:8443/#/fi/?paymentReference=260101314920&zip=41105`)
  // The reference of nobody is let through as well: here nothing is told about anybody.
  expect((await get('/home/sv/?paymentReference=123456&zip=1')).status).toBe(303)
})

test('the door says in words what is wrong, with what was typed as text, and leads nowhere', async () => {
  const ask = (paymentReference: string, zip: string) =>
    get(`/home/sv/?${new URLSearchParams({ paymentReference, zip }).toString()}`)
  const empty = await ask('', '')
  expect(empty.status).toBe(200)
  expect(empty.html).toContain('Skriv betalningsreferensen, siffrorna bredvid beloppet på fakturan.')
  expect(empty.html).toContain('Skriv postnumret i din adress på fakturan.')
  expect(empty.html).toMatch(/<input id="paymentReference"[^>]* aria-invalid="true"[^>]* autofocus/)
  expect(empty.headers['cache-control']).toBe('no-store')
  const letters = await ask('%%json.name%%"><script>', '411 05')
  expect(letters.html).toContain('Betalningsreferensen har bara siffror.')
  expect(letters.html).toContain('value="%%json.name%%&quot;&gt;&lt;script&gt;"')
  expect(letters.html).toContain('value="411 05"')
  const long = await ask('x'.repeat(10_000), '1')
  expect(long.status).toBe(200)
  expect(long.html).not.toContain('x'.repeat(300))
  // One field alone, as in an address that was cut off.
  expect((await get('/home/sv/?zip=41105')).html).toContain('Skriv betalningsreferensen')
})

test('what was typed is no mark, no cache keeps it, and a page of another site asks nothing', async () => {
  const marks = '%%brand%%%%logo%%%%nonce%%%%json.name%%'
  const typed = encodeURIComponent(marks)
  const asked = await get(`/home/sv/?message=${typed}`)
  expect(asked.html).toContain(`>${marks}</textarea>`)
  expect(asked.html).toContain('Nej, det här känner vi inte igen.')
  expect(
    (await get(`/home/sv/waiting/?amount=${typed}&due=${typed}`)).html.split(`value="${marks}"`),
  ).toHaveLength(3)
  expect(asked.headers['cache-control']).toBe('no-store')
  expect((await get('/home/sv/')).headers['cache-control']).toBe('no-cache')
  for (const from of ['cross-site', 'same-site', 'none']) {
    const led = await get(`/home/sv/?message=${invoice.reference}`, { headers: { 'sec-fetch-site': from } })
    expect(led.html, from).toContain(`>${invoice.reference}</textarea>`)
    expect(led.html, from).not.toContain('Ja, referensen är vår.')
  }
  const headers = { 'sec-fetch-site': 'same-origin' }
  const pressed = await get(`/home/sv/?message=${invoice.reference}`, { headers })
  expect(pressed.html).toContain('Ja, referensen är vår.')
})

test('the drawn text message has the address as it is sent in the language of the page', async () => {
  const addressIn = async (language: string) =>
    (await get(`/home/${language}/imprint/`)).html.match(/<b>(http[^<]*)<\/b>/)?.[1]
  const own = await addressIn('sv')
  expect(own).toMatch(/^http.*\/$/)
  expect(await addressIn('fi')).toBe(`${own}fi`)
})

test('a whole message is answered thing by thing without a script: one that is not ours makes it a no', async () => {
  const ask = async (message: string) => (await get(`/home/sv/?message=${encodeURIComponent(message)}`)).html
  for (const language of LANGUAGES) {
    const sms = textOf(language, 'mail.sms', { instance: 'Nordklar', url: 'http://localhost:8443/' })
    const html = await ask(sms)
    expect(html, sms).toContain('Ja, det som går att kontrollera i meddelandet är vårt.')
    expect(html, sms).toContain('<li><b>http://localhost:8443/</b>: leder till oss</li>')
  }
  const mixed = await ask(`http://localhost:8443/ betala OCR ${invoice.reference} till 5050-1055`)
  expect(mixed).toContain('Nej, något i meddelandet är inte vårt.')
  expect(mixed).toContain('<li><b>5050-1055</b>: inte vårt</li>')
  expect(await ask(`Betalningsreferens ${invoice.reference}`)).toContain('Ja, referensen är vår.')
})

test('check.enumerate: each reference of a pasted message counts as a question', async () => {
  const { host } = await buildFewQuestions(3)
  const references = Array.from({ length: 5 }, (_, n) => `26010492982${n}`).join('\n')
  const ask = async (message: string) =>
    (await get(`/sv/?message=${encodeURIComponent(message)}`, { host: `home.${host}` })).html
  const told = await ask(`Betala https://evil.test/ och\n${references}`)
  expect(told).toContain('Just nu är det för många frågor.')
  expect(told).not.toContain('inte vårt')
  const { rows } = await server.test.owner.query<{ fails: number }>(
    `select max(b.fails)::int as fails from guess_budget b join instance i on i.id = b.instance_id
      where i.url_alias = 'few-questions' and b.scope = 'message-check'`,
  )
  expect(rows[0]?.fails).toBe(3)
})

/** A provider whose networks have so few questions an hour. */
async function buildFewQuestions(questionsPerHour: number): Promise<{ host: string }> {
  const { host } = await buildInstance(server.test, {
    alias: 'few-questions',
    isDefault: false,
    guessLimits: { questionsPerHour },
  })
  await expect
    .poll(async () => (await get('/sv/', { host: `home.${host}` })).status, { timeout: 8_000 })
    .toBe(200)
  return { host }
}

test('what waiting costs is worked out without a script', async () => {
  const { html } = await get('/support/sv/waiting/?amount=1250&due=2026-10-02&country=SE&who=consumer')
  expect(html).toContain('2\u00a0185,75\u00a0kr')
  const wrong = (await get('/home/sv/waiting/?amount=x&due=')).html
  expect(wrong).toContain('Skriv ett belopp')
  expect(wrong).toMatch(
    /<input id="amount"[^>]* aria-invalid="true" aria-describedby="amount-fault" autofocus/,
  )
  expect(wrong).not.toContain('role="alert"')
  expect((await get('/home/sv/waiting/?amount=1&amount=2&due[]=3')).status).toBe(200)
})

const answers = async () =>
  (
    await server.test.owner.query(
      'select topic, language, helped, answers from article_answer where instance_id = $1 order by helped',
      [server.instanceId],
    )
  ).rows

test('whether an article helped is counted by day, and by a form of our own page alone', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const say = (payload: string, headers: Record<string, string> = form, url = '/support/sv/paying/') =>
    get(url, { method: 'POST', payload, headers })
  const first = await say('helped=yes')
  expect([first.status, first.headers.location]).toEqual([303, '/support/sv/paying/?counted=yes#helped'])
  expect((await say('helped=yes')).status).toBe(303)
  expect((await say('helped=no')).status).toBe(303)
  const counted = [
    { topic: 'paying', language: 'sv', helped: false, answers: 2 },
    { topic: 'paying', language: 'sv', helped: true, answers: 2 },
  ]
  const own = await get('/sv/paying/', {
    host: `support.${OWN}`,
    method: 'POST',
    payload: 'helped=no',
    headers: form,
  })
  expect(own.headers.location).toBe('/sv/paying/?counted=yes&helped=no#helped')
  expect((await get('/sv/paying/', { method: 'POST', payload: 'helped=no', headers: form })).status).toBe(404)
  expect((await say('helped=perhaps')).status).toBe(400)
  expect((await say('helped=yes', { ...form, 'sec-fetch-site': 'cross-site' })).status).toBe(400)
  for (const topic of ['nothing', 'waiting', 'lost']) {
    expect((await say('helped=yes', form, `/support/sv/${topic}/`)).status).toBe(404)
  }
  expect((await say('helped=yes', form, '/support/xx/paying/')).status).toBe(404)
  expect((await say(`helped=yes&x=${'y'.repeat(2_000)}`)).status).toBe(413)
  expect(await answers()).toEqual(counted)
  expect((await get('/support/sv/paying/?counted=yes')).html).toContain('Tack! Ditt svar är räknat.')
  // Whom it has not helped is told where to go on.
  const no = (await get('/support/sv/paying/?counted=yes&helped=no')).html
  expect(no).toMatch(
    /id="helped"[^>]*>Tack, det hjälper oss[^<]*<a href="tel:\+?\d+">[^<]+<\/a> <a href="\/support\/sv\/other-question\/">/,
  )
  const figures = await server.product.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  expect(figures.body).toContain('kvitt_article_answers{topic="paying",language="sv",helped="yes"} 2')
})

test('an answer beyond the budget of its network is not counted, and what is old goes', async () => {
  const { id } = await buildInstance(server.test, {
    alias: 'few',
    isDefault: false,
    guessLimits: { questionsPerHour: 1 },
  })
  const say = () =>
    get('/sv/paying/', {
      host: 'support.few.portal.test',
      method: 'POST',
      payload: 'helped=no',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  await expect.poll(async () => (await say()).status, { timeout: 8_000 }).toBe(303)
  expect((await say()).headers.location).toBe('/sv/paying/?counted=no&helped=no#helped')
  expect((await get('/sv/paying/?counted=no', { host: 'support.few.portal.test' })).html).toContain(
    'kunde inte räknas',
  )
  const { owner } = server.test
  const days = async () =>
    (
      await owner.query(`select day::text from article_answer where instance_id = $1 order by day`, [id])
    ).rows.map(({ day }) => day as string)
  const [today = ''] = await days()
  await owner.query(
    `insert into article_answer (instance_id, day, topic, language, helped, answers)
     select $1, $2::date - n, 'paying', 'sv', true, 1 from unnest(array[380, 430]) n`,
    [id, today],
  )
  await forgetOldAnswers(server.product.context)
  expect(await days()).toEqual([addDays(today as CalendarDate, -380), today])
})

test('files keep for ever under a name with a hash, and are asked for again under another', async () => {
  expect((await get('/home/assets/main-1.js')).headers['cache-control']).toContain('immutable')
  expect((await get('/support/worker.js')).headers['cache-control']).toBe('no-cache')
  expect((await get('/home/assets/../pages/sv/page.html')).status).not.toBe(200)
  const siteMap = await get('/home/sitemap.xml')
  expect(siteMap.html).toContain('<loc>http://localhost:8443/home/sv/</loc>')
  const robots = await get('/robots.txt', { host: `support.${OWN}` })
  expect(robots.html).toContain('Sitemap: http://support.nordklar.portal.test:8443/sitemap.xml')
  for (const { headers } of [siteMap, robots]) expect(headers['cache-control']).toBe('no-cache')
})

test('search engines that look at the debtor’s host are led to both sites', async () => {
  const hosts = [
    [OWN, 'http://home.nordklar.portal.test:8443', 'http://support.nordklar.portal.test:8443'],
    [SHARED, 'http://localhost:8443/home', 'http://localhost:8443/support'],
  ] as const
  for (const [host, home, support] of hosts) {
    const robots = await get('/robots.txt', { host: `${host}:6666` })
    expect([robots.status, robots.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(robots.html.split('\n')).toEqual([
      'User-agent: *',
      'Disallow: /api/',
      `Sitemap: ${home}/sitemap.xml`,
      `Sitemap: ${support}/sitemap.xml`,
      '',
    ])
    const map = await get('/sitemap.xml', { host })
    for (const site of [home, support]) expect(map.html).toContain(`<loc>${site}/sitemap.xml</loc>`)
    // Where each of them leads there is a map.
    for (const site of [home, support]) {
      const { host: named, pathname } = new URL(`${site}/sitemap.xml`)
      expect((await get(pathname, { host: named })).html).toContain('<urlset>')
    }
  }
})

test('a host of nobody has neither', async () => {
  for (const host of ['nobody.test', 'home.nobody.test']) {
    expect((await get('/home/sv/', { host })).status).toBe(404)
  }
})
