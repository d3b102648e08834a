/** What waiting costs, by what two people of a provider have entered: the page foretells what its letters will ask for. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { renderPage, type Site } from '@kvitt/site/frame.ts'
import { sharedPages } from '@kvitt/site/shared-pages.ts'
import { signInStaff } from '../testing/staff.ts'
import { startTestServer } from '../testing/start-test-server.ts'

/** A built site of the pages that both have. */
function buildSite(site: Site): string {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-site-'))
  for (const page of sharedPages(site)) {
    const file = join(folder, 'pages', page.language, page.path, 'page.html')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, renderPage(page))
  }
  writeFileSync(join(folder, 'sitemap.xml'), '<urlset></urlset>')
  return folder
}

test('what was entered and agreed is what the page reckons by, and it hands it to its script without the note', async () => {
  const server = await startTestServer({
    portalFolders: { home: buildSite('home'), support: buildSite('support') },
  })
  const read = async (path: string): Promise<string> => {
    const headers = { host: 'localhost', accept: 'text/html' }
    const { statusCode, body } = await server.product.app.inject({ url: `/home/fi/waiting/${path}`, headers })
    expect(statusCode).toBe(200)
    // Behind its end stand the words of the script.
    return body.slice(0, body.indexOf('<!--/waiting-->')).replaceAll('\u00a0', ' ')
  }
  const asked = '?amount=1250&due=2026-10-02&country=DK&who=consumer'
  // Nationalbanken's rate of the second half of 2026 is not known to the product, which takes 1.75 and 8 points to go on.
  const before = await read(asked)
  expect(before).toContain('9,75 % vuodessa')
  expect(before).toContain('Emme vielä tiedä, mikä korko vuoden 2026 jälkipuoliskolle')
  expect(before).not.toContain('data-figures')

  const { context } = server.product
  const whose = { instanceId: server.instanceId, creditorId: null }
  const manager = await signInStaff(context, { ...whose, role: 'manager' })
  const approver = await signInStaff(context, { ...whose, role: 'approver' })
  const figure = { country: 'DK', figure: 'reference_rate', from: '2026-07-01', percent: '2.75' }
  const proposed = await server.call('POST', '/api/admin/country-parameters', {
    body: { ...figure, source: 'Nationalbanken, sagde <Eva>', confirmed: true },
    headers: { ...manager },
  })
  expect(proposed.status, proposed.text).toBe(202)
  // What one person has proposed is charged by nobody.
  expect(await read(asked)).toContain('9,75 % vuodessa')
  const { id } = proposed.json as { id: string }
  const agreed = await server.call('POST', `/api/admin/proposals/${id}/approve`, { headers: { ...approver } })
  expect(agreed.status, agreed.text).toBe(200)

  const after = await read(asked)
  expect(after).toContain('10,75 % vuodessa')
  // 1250 kroner for 5 days at 10.75 % are 1.84, and the reminder costs 100.
  expect(after).toMatch(/1 351,84/)
  expect(after).not.toContain('Emme vielä tiedä')
  expect(after).toContain('data-figures="[{&quot;country&quot;:&quot;DK&quot;')
  expect(after).not.toContain('Eva')
  // Nobody has typed into this one: an example, for the script with the same figures.
  const example = await read('')
  expect(example).toContain('data-figures')
  expect(example).toContain('class="small example"')
})
