/** The provider's issuer: proposed by one, agreed by another, tried, and asked only where it may be. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { agreeOn, issuerOf, openIssuerOffice, written } from '../testing/issuer/at-issuer.ts'
import { told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { switchOffByCommand } from './issuers.ts'

let server: TestServer
let office: AskOffice
let path: string

beforeAll(async () => {
  server = await startTestServer()
  office = await openIssuerOffice(server)
  path = `/instance-providers/${server.instanceId}/sign-in-issuer`
})
beforeEach(async () => {
  await server.test.owner.query(
    `update proposal set status = 'WITHDRAWN', decided_at = now(), decided_by = proposed_by where status = 'OPEN'`,
  )
})

const propose = (wishes = {}, key?: string) => office('manager', `PUT ${path}`, written(server, wishes), key)
const attempt = (wishes = {}) => {
  const { issuer, clientId, secret } = written(server, wishes)
  return office('manager', `POST ${path}/try`, { issuer, clientId, secret })
}
const secrets = async (): Promise<number> => {
  const { rows } = await server.test.owner.query<{ n: number }>('select count(*)::int as n from kept_secret')
  return rows[0]?.n ?? 0
}

describe('a proposal', () => {
  test('changes nothing by itself, is agreed to by another, and never shows the secret', async () => {
    const proposed = await propose({}, 'one')
    expect(proposed.status, proposed.text).toBe(202)
    expect((await propose({}, 'one')).text, 'the same key').toContain((proposed.json as { id: string }).id)
    expect((await office('support', `GET ${path}`)).json).toMatchObject({ issuer: null })
    const { id } = proposed.json as { id: string }
    expect(told(await office('manager', `POST /proposals/${id}/approve`, {}))).toEqual([
      400,
      'another_person_needed',
    ])
    expect((await office('approver', `POST /proposals/${id}/approve`, {})).status).toBe(200)
    const shown = await office('support', `GET ${path}`)
    expect(shown.json).toMatchObject({
      issuer: {
        issuer: issuerOf(server),
        domains: ['nordklar.example'],
        isOn: true,
        isRequired: false,
        linked: 0,
      },
      redirectAddresses: [expect.stringMatching(/\/oidc\/issuer\/callback$/)],
    })
    for (const text of [proposed.text, shown.text, (await office('approver', `GET /proposals/${id}`)).text])
      expect(text).not.toContain('kvitt-demo-issuer-secret')
    const { rows } = await server.test.owner.query<{ kind: string }>(
      `select kind from audit_event where is_deed and about = 'sign-in-issuer' order by seq`,
    )
    expect(rows.map(({ kind }) => kind)).toEqual([
      'proposal_made',
      'sign_in_issuer_changed',
      'proposal_approved',
    ])
  })

  test('whose secret is in no table as it is typed, and goes when the proposal is refused', async () => {
    await agreeOn(server, office, { domains: 'a.example' })
    const before = await secrets()
    const proposed = await propose({ domains: 'b.example', secret: 'another-secret-of-theirs' })
    expect(await secrets()).toBe(before + 1)
    const { rows } = await server.test.owner.query<{ text: string }>(
      `select coalesce(string_agg(p::text, ''), '') || (select coalesce(string_agg(d::text, ''), '') from audit_event d)
         || (select coalesce(string_agg(encode(s.sealed, 'escape'), ''), '') from kept_secret s) as text from proposal p`,
    )
    expect(rows[0]?.text).not.toContain('another-secret-of-theirs')
    const { id } = proposed.json as { id: string }
    expect((await office('approver', `POST /proposals/${id}/refuse`, { reason: 'Nej' })).status).toBe(200)
    expect(await secrets()).toBe(before)
  })

  test.each([
    ['http://login.example.com', [400, 'issuer_address', 'issuer']],
    ['https://login.example.com/?x=1', [400, 'issuer_address', 'issuer']],
    ['https://me:x@login.example.com', [400, 'issuer_address', 'issuer']],
    ['javascript:alert(1)', [400, 'issuer_address', 'issuer']],
  ])('of the issuer %s is refused', async (issuer, refused) => {
    expect(told(await propose({ issuer }))).toEqual(refused)
  })

  test('asks for domains, for a secret of what is new, and for a change', async () => {
    expect(told(await propose({ domains: 'localhost' }))).toEqual([400, 'invalid_request', 'domains'])
    expect(told(await propose({ clientId: 'another', secret: undefined }))).toEqual([
      400,
      'invalid_request',
      'secret',
    ])
    await agreeOn(server, office, { domains: 'c.example' })
    expect(told(await propose({ domains: 'C.example', secret: undefined }))).toEqual([400, 'issuer_same'])
    expect(told(await office('support', `PUT ${path}`, written(server)))).toEqual([403, 'not_allowed'])
  })

  test('iss.lockout: of the only way in is refused where no manager could come in by it', async () => {
    await server.test.owner.query(`update person set password_hash = null`)
    expect(told(await propose({ domains: 'example.com', isRequired: true }))).toEqual([
      400,
      'issuer_locks_out',
      'isRequired',
    ])
    await server.test.owner.query(`update person set password_hash = 'x' where email = 'manager@example.com'`)
    expect(told(await propose({ domains: 'example.com', isRequired: true }))).toEqual([
      400,
      'issuer_locks_out',
      'isRequired',
    ])
    expect((await propose({ domains: 'elsewhere.example', isRequired: true })).status).toBe(202)
  })

  test('needs a fresh sign-in of both', async () => {
    const proposed = await propose({ domains: 'd.example' })
    const { id } = proposed.json as { id: string }
    const age = (minutes: number) =>
      server.test.owner.query(
        'update staff_session set signed_in_at = signed_in_at - make_interval(mins => $1)',
        [minutes],
      )
    await age(11)
    try {
      expect(told(await office('approver', `POST /proposals/${id}/approve`, {}))).toEqual([
        403,
        'sign_in_again',
      ])
      expect(told(await propose({ domains: 'e.example' }))).toEqual([403, 'sign_in_again'])
    } finally {
      await age(-11)
    }
  })
})

describe('a try', () => {
  test('reaches the issuer, and says whether it knows the client', async () => {
    expect((await attempt()).json).toEqual({ outcome: 'ACCEPTED', detail: null })
    expect((await attempt({ secret: 'wrong' })).json).toEqual({
      outcome: 'CLIENT_REFUSED',
      detail: 'invalid_client',
    })
    expect((await attempt({ issuer: `${issuerOf(server)}/nowhere` })).json).toMatchObject({
      outcome: 'NO_ISSUER',
    })
    await server.control('POST', '/control/faults', { target: 'issuer', fault: 'error500', times: 1 })
    expect((await attempt()).json).toMatchObject({ outcome: 'NO_ANSWER', detail: 'status 500' })
  })

  test('with the secret that is known asks no other issuer and no other client', async () => {
    await agreeOn(server, office, { domains: 'f.example' })
    const ask = (issuer: string, clientId: string) =>
      office('manager', `POST ${path}/try`, { issuer, clientId })
    expect((await ask(issuerOf(server), 'kvitt-demo')).json).toEqual({ outcome: 'ACCEPTED', detail: null })
    expect(told(await ask('https://evil.example', 'kvitt-demo'))).toEqual([400, 'invalid_request', 'secret'])
    expect(told(await ask(issuerOf(server), 'other'))).toEqual([400, 'invalid_request', 'secret'])
  })

  test.each([
    'https://127.0.0.1/issuer',
    'https://169.254.169.254',
    'https://[::1]/x',
    'https://0x7f.1/',
    'https://localhost/issuer',
    'https://login.internal',
    'http://10.0.0.1',
  ])('iss.inward: %s is not asked', async (issuer) => {
    expect((await attempt({ issuer })).json).toMatchObject({ outcome: 'ADDRESS_REFUSED' })
  })
})

test('a command switches it off at once, and says why in the log of deeds', async () => {
  await agreeOn(server, office, { domains: 'g.example' })
  const { context } = server.product
  const by = { by: 'person:bertil', reason: 'down' }
  expect(await switchOffByCommand(context, server.instanceId, by)).toBe(true)
  expect(await switchOffByCommand(context, server.instanceId, by)).toBe(false)
  expect((await office('support', `GET ${path}`)).json).toMatchObject({ issuer: { isOn: false } })
  const { rows } = await server.test.owner.query(
    `select actor, reason from audit_event where kind = 'sign_in_issuer_changed' order by seq desc limit 1`,
  )
  expect(rows).toEqual([{ actor: 'person:bertil', reason: 'down' }])
})
