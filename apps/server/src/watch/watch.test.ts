/** What an operator's monitoring reads at /metrics: of each provider, while the database is away too, and from another machine. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { newId } from '../platform/identity.ts'
import { buildInstance, buildInvoice } from '../testing/build.ts'
import { openDatabaseLine, type DatabaseLine } from '../testing/database-line.ts'
import { signAndSettle } from '../testing/debts/settle.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

const TOKEN = 'b7f1c6f0a2d94d3f8e55a1c0d9e7f642'
let server: TestServer
let line: DatabaseLine
/** Of the instance that all of it happens in, and of one where nothing does. */
let [mine, quiet] = ['', '']
beforeAll(async () => {
  server = await startTestServer({
    settings: { METRICS_TOKEN: TOKEN },
    through: async (address) => {
      line = await openDatabaseLine(address)
      return line.address
    },
  })
  const other = await buildInstance(server.test, { alias: 'quiet', isDefault: false })
  const rows = await sql('select id, url_alias from instance')
  mine = rows.find(({ id }) => id === server.instanceId)?.url_alias
  quiet = rows.find(({ id }) => id === other.id)?.url_alias
})

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
/** The value of each sample that a provider has of a metric, by its other labels in the order of their names. */
async function samplesOf(name: string, provider: string): Promise<Record<string, number>> {
  const { text } = await server.call('GET', '/metrics')
  const found = [...text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, 'gm'))]
    .map(([, labels = '', value]) => ({
      labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, of]) => [key, of])),
      value: Number(value),
    }))
    .filter(({ labels }) => labels.provider === provider)
  return Object.fromEntries(
    found.map(({ labels, value }) => [
      Object.keys(labels)
        .filter((key) => key !== 'provider')
        .toSorted()
        .map((key) => labels[key])
        .join(' '),
      value,
    ]),
  )
}
const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000
const today = (): CalendarDate => server.clock.today('Europe/Stockholm')

describe('of each provider', () => {
  test('open tasks, how many are late, and the first last day', async () => {
    // Five days each; a day without banks moves to the next bank day. 2026-09-28 is a Monday.
    server.clock.moveTo('2026-09-28' as CalendarDate)
    for (const [kind, madeOn] of [
      ['refund', '2026-09-21'],
      ['refund', '2026-09-25'],
      ['audit_cut', '2026-09-01'],
      ['question_asked', '2026-09-28'],
    ])
      await sql(
        `insert into task (instance_id, id, kind, about, details, made_on) values ($1, $2, $3, $4, '{}', $5)`,
        [server.instanceId, newId(Date.now()), kind, `test:${newId(Date.now())}`, madeOn],
      )
    expect(await samplesOf('kvitt_tasks_open', mine)).toEqual({
      'refund operator': 2,
      'audit_cut operator': 1,
      'question_asked creditor': 1,
    })
    // Made on a Monday, five days end on Saturday the 26th, so on Monday the 28th: not over yet today, but tomorrow.
    expect((await samplesOf('kvitt_tasks_late', mine))['refund operator']).toBe(0)
    server.clock.moveTo('2026-09-29' as CalendarDate)
    expect((await samplesOf('kvitt_tasks_late', mine))['refund operator']).toBe(1)
    expect(await samplesOf('kvitt_tasks_deadline_timestamp_seconds', mine)).toEqual({
      'refund operator': secondsOf('2026-09-29'),
      'question_asked creditor': secondsOf('2026-10-06'),
    })
    expect(await samplesOf('kvitt_tasks_open', quiet)).toEqual({})
    await sql(`update task set done_at = now()`)
    expect(await samplesOf('kvitt_tasks_open', mine)).toEqual({})
  })

  test('the daily run: whether it waits, when the last one ended, and how long it took', async () => {
    expect(await samplesOf('kvitt_daily_run_waits', mine)).toEqual({ '': 1 })
    const day = today()
    await sql('insert into collection_night (instance_id, day, performed) values ($1, $2, 0)', [
      server.instanceId,
      day,
    ])
    for (const [of, endedAt, tookMs] of [
      [addDays(day, -1), '2026-09-28T01:00:00Z', 90_000],
      [day, '2026-09-29T01:00:00Z', 4_500],
    ])
      await sql(
        `insert into job_run (instance_id, id, work, day, status, started_at, begun_at, ended_at, took_ms, tries, listed_at)
         values ($1, $2, 'DAILY_RUN', $3, 'DONE', $4, $4, $4, $5, 1, $4)`,
        [server.instanceId, newId(Date.now()), of, endedAt, tookMs],
      )
    expect(await samplesOf('kvitt_daily_run_waits', mine)).toEqual({ '': 0 })
    expect(await samplesOf('kvitt_daily_run_waits', quiet)).toEqual({ '': 1 })
    expect(await samplesOf('kvitt_daily_run_seconds', mine)).toEqual({ '': 4.5 })
    expect(await samplesOf('kvitt_daily_run_ended_timestamp_seconds', mine)).toEqual({
      '': Date.parse('2026-09-29T01:00:00Z') / 1000,
    })
    expect(await samplesOf('kvitt_daily_run_seconds', quiet)).toEqual({})
  })

  test('money that came today, once it is booked', async () => {
    const before = await samplesOf('kvitt_money_in_today_minor', mine)
    expect(before).toEqual({})
    const { reference, zip } = await buildInvoice(server.test, server.instanceId, server.clock)
    const body = {
      paymentDate: server.clock.today('Europe/Stockholm'),
      amount: '842.00',
      redirectUri: `${server.origin}/`,
    }
    const path = `/api/public/invoices/${reference}/${zip}/payment-requests`
    const started = await server.call('POST', path, { body })
    expect(started.status).toBe(201)
    await signAndSettle(server, reference)
    const [booked] = await sql(
      `select sum(minor)::float8 as minor from figure_move where figure = 'IN' and instance_id = $1`,
      [server.instanceId],
    )
    expect(booked.minor).toBeGreaterThan(0)
    expect(Object.values(await samplesOf('kvitt_money_in_today_minor', mine))).toEqual([booked.minor])
    expect(Object.values(await samplesOf('kvitt_money_in_today', mine))).toEqual([1])
    server.clock.moveTo(addDays(today(), 1))
    expect(await samplesOf('kvitt_money_in_today', mine), 'another day').toEqual({})
  })

  test('messages that wait, by way, with the age of the oldest', async () => {
    await sql(`update mail_outbox set status = 'SENT', sent_at = now() where status = 'WAITING'`)
    for (const [channel, minutes, status] of [
      ['EMAIL', 30, 'WAITING'],
      ['EMAIL', 5, 'WAITING'],
      ['SMS', 2, 'WAITING'],
      ['SMS', 600, 'SENT'],
    ])
      await sql(
        `insert into mail_outbox (instance_id, id, channel, kind, cause, recipient, language, subject, text_body, created_at, status, sent_at)
         values ($1, $2, $3, 'test', $4, 'nobody@portal.example', 'sv', 's', 't', now() - make_interval(mins => $5), $6,
           case when $6 = 'SENT' then now() end)`,
        [server.instanceId, newId(Date.now()), channel, `test:${newId(Date.now())}`, minutes, status],
      )
    expect(await samplesOf('kvitt_messages_waiting', mine)).toEqual({ EMAIL: 2, SMS: 1 })
    const oldest = await samplesOf('kvitt_messages_oldest_seconds', mine)
    expect(oldest.EMAIL).toBeGreaterThanOrEqual(1_800)
    expect(oldest.EMAIL).toBeLessThan(1_860)
    expect(oldest.SMS).toBeLessThan(180)
  })

  test('files of banks, money that nobody could place, and lines that wait', async () => {
    const file = newId(Date.now())
    await sql(
      `insert into bank_file (instance_id, id, name, format, content_hash, received_at)
       values ($1, $2, 'f', 'camt', $3, now() - interval '20 minutes')`,
      [server.instanceId, file, Buffer.from('f')],
    )
    const account = newId(Date.now())
    const lines = [
      ['PAYMENT', 10_050, 'SEK', '2026-09-20', 'SUSPENSE'],
      ['PAYMENT', 20_000, 'SEK', '2026-09-22', 'SUSPENSE'],
      ['PAYMENT', 700, 'EUR', '2026-09-22', 'SUSPENSE'],
      ['DEDUCTION', 900, 'SEK', '2026-09-01', 'SUSPENSE'],
      ['PAYMENT', 1_000, 'SEK', '2026-09-22', 'WAITING'],
    ] as const
    const owner = await server.test.owner.connect()
    try {
      // Without the account that they came to.
      await owner.query(`set session_replication_role = 'replica'`)
      for (const [number, [kind, minor, currency, day, status]] of lines.entries())
        await owner.query(
          `insert into bank_line (instance_id, id, file_id, number, account_key, account_id, deposit_key, deposit_line, kind,
             amount_minor, currency, bank_date, payment_references, status)
           values ($1, $2, $3, $4, '1', $5, 'd', $4, $6, $7, $8, $9, '{}', $10)`,
          [
            server.instanceId,
            newId(Date.now()),
            file,
            number + 1,
            account,
            kind,
            minor,
            currency,
            day,
            status,
          ],
        )
    } finally {
      await owner.query(`set session_replication_role = 'origin'`)
      owner.release()
    }
    expect(await samplesOf('kvitt_suspense_lines', mine)).toEqual({ SEK: 2, EUR: 1 })
    expect(await samplesOf('kvitt_suspense_minor', mine)).toEqual({ SEK: 30_050, EUR: 700 })
    expect(await samplesOf('kvitt_suspense_oldest_timestamp_seconds', mine)).toEqual({
      SEK: secondsOf('2026-09-20'),
      EUR: secondsOf('2026-09-22'),
    })
    expect(await samplesOf('kvitt_bank_files_day', mine)).toEqual({ '': 1 })
    expect(await samplesOf('kvitt_bank_files_day', quiet)).toEqual({ '': 0 })
    expect(await samplesOf('kvitt_queue_waiting', mine)).toEqual({ bank_lines: 1 })
    expect((await samplesOf('kvitt_queue_oldest_seconds', mine)).bank_lines).toBeGreaterThanOrEqual(1_200)
    await sql(`delete from bank_line`)
  })
})

describe('of this process', () => {
  test('its connections, its jobs and its counterparties', async () => {
    const { text } = await server.call('GET', '/metrics')
    expect(text).toMatch(/^kvitt_database_connections\{pool="requests",state="in_use"\} \d+$/m)
    expect(text).toMatch(/^kvitt_database_connections_most\{pool="requests"\} 14$/m)
    expect(text).toMatch(/^kvitt_job_failures_total\{job_name="read credentials"\} \d+$/m)
    expect(text).toMatch(/^kvitt_gateway_circuit_open\{gateway="DIRECT_BANK"\} 0$/m)
    const answered = Number(
      /^kvitt_gateway_calls_total\{gateway="DIRECT_BANK",outcome="answered"\} (\d+)$/m.exec(text)?.[1],
    )
    expect(answered, 'a payment was made there').toBeGreaterThan(0)
    expect(text).toMatch(/^kvitt_print_letters 0$/m)
  })

  test('every metric that an alarm or the dashboard asks for is one of them', async () => {
    const { text } = await server.call('GET', '/metrics')
    const exported = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name))
    const asked = ['prometheus/alerts.yml', 'grafana/kvitt.json'].flatMap(
      (name) =>
        readFileSync(new URL(`../../../../deploy/${name}`, import.meta.url), 'utf8').match(/\bkvitt_\w+/g) ??
        [],
    )
    const names = new Set(asked.map((name) => name.replace(/_(?:bucket|count|sum)$/, '')))
    expect(names.size).toBeGreaterThan(25)
    expect([...names].filter((name) => !exported.has(name))).toEqual([])
  })

  test('no label has more than its few values, and none is about a person', async () => {
    const { text } = await server.call('GET', '/metrics')
    const labels = new Set(
      [...text.matchAll(/^kvitt_\w+\{(.*)\} /gm)].flatMap(([, of = '']) => of.match(/\w+(?==")/g) ?? []),
    )
    const known =
      'currency,directive,gateway,helped,host,job_name,kind,language,le,method,outcome,pool,provider,queue'
    const more = ['files', 'route', 'solver', 'state', 'status', 'topic', 'way']
    expect([...labels].filter((label) => ![...known.split(','), ...more].includes(label))).toEqual([])
  })
})

describe('from another machine', () => {
  const ask = (authorization?: string) =>
    server.product.app.inject({
      url: '/metrics',
      remoteAddress: '10.1.2.3',
      headers: { host: 'kvitt.internal:8080', ...(authorization ? { authorization } : {}) },
    })
  test('metrics.door: nobody without the token is told anything, not even that there is something', async () => {
    for (const authorization of [undefined, 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`])
      expect([authorization, (await ask(authorization)).statusCode]).toEqual([authorization, 404])
  })
  test('whoever shows it is', async () => {
    const { statusCode, body } = await ask(`Bearer ${TOKEN}`)
    expect(statusCode).toBe(200)
    expect(body).toContain('kvitt_database_up 1')
  })
})

test('while the database is away the process is still seen, and nothing is told that nobody read', async () => {
  line.silence()
  line.silenceNew()
  const beganMs = performance.now()
  // By a name that nobody has asked for before: whose host that is, only the database would know.
  const scraped = await server.product.app.inject({ url: '/metrics', headers: { host: '127.9.9.9:8080' } })
  const { statusCode: status, body: text } = scraped
  expect(performance.now() - beganMs).toBeLessThan(5_000)
  expect(status).toBe(200)
  expect(text).toMatch(/^kvitt_database_up 0$/m)
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  expect(text).toMatch(/^kvitt_request_seconds_count\{/m)
  expect(text).not.toMatch(/^kvitt_(operator_tasks_open|daily_run_waits|tasks_open|payments_unsigned)[ {]/m)
  line.heal()
  await expect
    .poll(async () => (await server.call('GET', '/metrics')).text, { timeout: 20_000, interval: 500 })
    .toMatch(/^kvitt_operator_tasks_open \d+$/m)
}, 40_000)
