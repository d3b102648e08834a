import { expect, test } from 'vitest'
import { startTestServer } from '../../testing/start-test-server.ts'
import { LANGUAGES, textOf } from '../texts.ts'

const server = await startTestServer()
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

type Asked = { url: string; method?: 'GET' | 'POST'; accept?: string; host?: string; language?: string }

async function ask({ url, method = 'GET', accept = BROWSER, host = 'localhost', language = 'en' }: Asked) {
  const { statusCode, headers, body } = await server.product.app.inject({
    method,
    url,
    headers: { host, accept, 'accept-language': language },
  })
  return { statusCode, type: headers['content-type'], policy: headers['content-security-policy'], body }
}

test('a browser is told in its language that there is no such page, and led to the start page and to the answers', async () => {
  for (const language of LANGUAGES) {
    const { statusCode, type, policy, body } = await ask({ url: '/nowhere', language })
    expect([statusCode, type]).toEqual([404, 'text/html; charset=utf-8'])
    expect(body).toContain(`<html lang="${language}">`)
    expect(body).toContain(`<h1>${textOf(language, 'page.not_found')}</h1>`)
    expect(body).toContain(textOf(language, 'error.not_found'))
    expect(body).toContain(`<a href="/#/${language}/">`)
    expect(body).toContain(`<a href="/support/${language}/">`)
    // Nothing is loaded from anywhere, and nothing that was asked for stands on the page.
    expect(policy).toMatch(/^default-src 'none'; style-src 'nonce-[^']+'; base-uri 'none'/)
  }
  const hostile = await ask({ url: '/xx/%3Cscript%3Ealert(1)%3C/script%3E?<b>' })
  expect(hostile.body).not.toMatch(/script|<b>/)
})

test('a host of nobody has no start page to lead to', async () => {
  const { statusCode, body } = await ask({ url: '/', host: 'nobody.example' })
  expect(statusCode).toBe(404)
  expect(body).toContain('<h1>Page not found</h1>')
  expect(body).not.toContain('<a ')
})

test('a program gets the problem as before, and so does everybody below /api/', async () => {
  for (const asked of [
    { url: '/nowhere', accept: '*/*' },
    { url: '/nowhere', accept: 'application/json' },
    { url: '/nowhere', method: 'POST' },
    { url: '/api/nowhere' },
    { url: '/api/public/invoices/1/2' },
  ] as const) {
    const { type, body } = await ask(asked)
    expect(type, asked.url).toBe('application/problem+json; charset=utf-8')
    expect(JSON.parse(body), asked.url).toHaveProperty('traceId')
  }
})
