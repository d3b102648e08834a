import { describe, expect, test } from 'vitest'
import { readProject } from './project.ts'
import {
  breaksClock,
  breaksEnvironment,
  breaksMoney,
  breaksQueries,
  breaksShown,
  breaksTasks,
} from './sources.ts'

const RULES = { breaksEnvironment, breaksClock, breaksMoney, breaksQueries, breaksShown, breaksTasks }
const project = readProject()

describe('this project', () => {
  test.each(Object.entries(RULES))('%s: nothing', (_name, rule) => {
    expect(rule(project)).toEqual([])
  })
})

const FORBIDDEN: [keyof typeof RULES, string, string][] = [
  ['breaksEnvironment', 'apps/server/src/payments/payments.ts', 'const port = process.env.PORT'],
  ['breaksEnvironment', 'apps/server/src/main.ts', "const port = process.env['PORT']"],
  ['breaksEnvironment', 'apps/server/src/main.ts', 'const { PORT } = process.env'],
  ['breaksEnvironment', 'packages/domain/src/money.ts', 'const debug = process?.env.DEBUG'],
  ['breaksEnvironment', 'apps/debtor/src/main.tsx', 'const debug = process.env.NODE_ENV'],
  ['breaksClock', 'packages/domain/src/calendar.ts', 'const now = Date.now()'],
  ['breaksClock', 'packages/domain/src/calendar.ts', 'const now = new Date()'],
  ['breaksClock', 'apps/server/src/payments/payments.ts', 'const now = Date()'],
  ['breaksClock', 'apps/server/src/platform/jobs.ts', 'const later = clock ?? Date.now'],
  ['breaksClock', 'apps/server/src/platform/jobs.ts', 'const wait = 100 * Math.random()'],
  ['breaksMoney', 'packages/domain/src/money.ts', "const a = parseFloat('1.5')"],
  ['breaksMoney', 'packages/domain/src/money.ts', "const a = Number.parseFloat('1.5')"],
  ['breaksMoney', 'apps/server/src/payments/payments.ts', 'const text = (total / 100).toFixed(2)'],
  ['breaksMoney', 'apps/server/src/payments/payments.ts', 'const text = amountMinor / 100'],
  ['breaksMoney', 'apps/server/src/payments/payments.ts', 'const half = invoice.balanceMinor / 2'],
  ['breaksMoney', 'apps/server/src/payments/payments.ts', 'const fee = balance.minor * 0.1'],
  ['breaksMoney', 'apps/server/src/payments/payments.ts', 'amountMinor /= 100'],
  ['breaksQueries', 'apps/server/src/payments/payments.ts', "db.query('select id from payment')"],
  [
    'breaksQueries',
    'apps/server/src/payments/payments.ts',
    'db.query(`INSERT INTO payment (id) VALUES (${id})`)',
  ],
  ['breaksQueries', 'apps/server/src/payments/payments.ts', "db.query('update payment set status = $1')"],
  ['breaksQueries', 'apps/server/src/payments/payments.ts', "db.query('delete from payment')"],
  ['breaksQueries', 'apps/server/src/payments/payments.ts', "db.selectFrom('payment')"],
  [
    'breaksShown',
    'apps/server/src/claims/claims.queries.ts',
    "const a = `i.status not in ('PENDING', 'CREATED','ARCHIVED')`",
  ],
  ['breaksShown', 'apps/server/src/claims/claims.ts', "const hidden = ['CREATED', 'PENDING', 'ARCHIVED']"],
  [
    'breaksTasks',
    'apps/server/src/payments/payments.queries.ts',
    "db.rows('insert into task (id) values ($1)')",
  ],
  ['breaksTasks', 'apps/server/src/platform/http/health.ts', 'db.rows(`select from task k where ${a}`)'],
]

const ALLOWED: [keyof typeof RULES, string, string][] = [
  ['breaksEnvironment', 'apps/server/config/config.ts', 'const port = process.env.PORT'],
  ['breaksEnvironment', 'apps/server/src/main.ts', "process.on('SIGTERM', stop)"],
  ['breaksClock', 'apps/server/src/platform/clock.ts', 'const now = Date.now()'],
  ['breaksClock', 'packages/domain/src/calendar.ts', 'const day = new Date(ms)'],
  ['breaksClock', 'apps/server/src/payments/payments.test.ts', 'const now = Date.now()'],
  ['breaksClock', 'apps/server/src/payments/payments.ts', '// Date.now() would be wrong here'],
  ['breaksMoney', 'packages/domain/src/instances/colour.ts', 'const ratio = light / dark'],
  ['breaksMoney', 'packages/domain/src/money.ts', 'const share = BigInt(total) / divisor'],
  ['breaksMoney', 'packages/domain/src/money.ts', 'const twice = amountMinor * 2'],
  ['breaksQueries', 'apps/server/src/payments/payments.queries.ts', "db.query('select id from payment')"],
  ['breaksQueries', 'apps/server/src/testing/ledger-checks.ts', "db.query('select id from payment')"],
  ['breaksQueries', 'apps/server/src/payments/payments.ts', "const text = 'select a method, then update it'"],
  ['breaksShown', 'apps/server/src/claims/claims.queries.ts', 'const a = `${SHOWN} and c.id = $2`'],
  ['breaksShown', 'apps/server/src/claims/claims.ts', "const over = ['CLOSED', 'STOPPED', 'ARCHIVED']"],
  ['breaksTasks', 'apps/server/src/tasks/tasks.queries.ts', "db.rows('update task set done_at = now()')"],
]

describe('planted sources', () => {
  test.each(FORBIDDEN)('%s sees in %s: %s', (rule, path, text) => {
    expect(RULES[rule]([{ path, text: `\n${text}` }])).toEqual([expect.stringContaining(`${path}:2 `)])
  })

  test.each(ALLOWED)('%s lets pass in %s: %s', (rule, path, text) => {
    expect(RULES[rule]([{ path, text }])).toEqual([])
  })
})
