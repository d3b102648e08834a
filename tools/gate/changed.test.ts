/** What `npm test -- --changed` chooses. That it finds a broken line is played by broken-lines.mjs. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { findBase, listChanged, listImporters, planFor } from './changed.mjs'

describe('a plan', () => {
  const texts: Record<string, string> = {
    'apps/server/src/payments/settle.ts': '',
    'apps/server/src/payments/settle.test.ts': "import { settle } from './settle.ts'",
    'apps/server/src/claims/paying.test.ts': "import { settle } from '../payments/settle.ts'",
    'apps/server/src/claims/claims.test.ts': '',
    'apps/server/commands/refund-cli.ts': '',
    'apps/server/commands/refund-cli.test.ts': '',
    'apps/server/commands/task-cli.test.ts': '',
    'apps/server/src/testing/letters.ts': '',
    'apps/server/src/mail/mail.test.ts': "import { letters } from '../testing/letters.ts'",
    'apps/debtor/src/payments/button.tsx': '',
    'apps/debtor/src/payments/button.test.ts': '',
    'packages/domain/src/payments/payment.ts': '',
    'packages/domain/src/payments/payment.test.ts': '',
    'e2e/payments/pay.spec.ts': "import { payer } from '../testing/payer.ts'",
    'e2e/payments/other.spec.ts': '',
    'e2e/testing/payer.ts': '',
    'tools/house-rules/sizes.test.ts': '',
  }
  const files = Object.keys(texts)
  const importers = listImporters(files, (path) => texts[path] ?? '')
  const reach = { payments: { journeys: ['payments/pay'] }, claims: {}, commands: { onlyOwn: true } }
  const plan = (...changed: string[]) => {
    const { tests, journeys, far } = planFor(changed, { files, importers, reach })
    return [
      ...tests.filter((path) => !path.startsWith('tools/')),
      ...journeys,
      ...far.map((path) => `far ${path}`),
    ]
  }
  const SERVER = ['apps/server/src/claims/paying.test.ts', 'apps/server/src/payments/settle.test.ts']
  const PAY = 'e2e/payments/pay.spec.ts'

  test.each([
    ['of a feature of the server', ['apps/server/src/payments/settle.ts'], [...SERVER, PAY]],
    [
      'of a portal',
      ['apps/debtor/src/payments/button.tsx'],
      ['apps/debtor/src/payments/button.test.ts', PAY],
    ],
    [
      'of a rule, and of what is built on it',
      ['packages/domain/src/payments/payment.ts'],
      [
        'apps/debtor/src/payments/button.test.ts',
        'apps/server/src/payments/settle.test.ts',
        'packages/domain/src/payments/payment.test.ts',
        PAY,
      ],
    ],
    ['of a command', ['apps/server/commands/refund-cli.ts'], ['apps/server/commands/refund-cli.test.ts']],
    ['of a test', ['apps/server/src/claims/claims.test.ts'], ['apps/server/src/claims/claims.test.ts']],
    ['of a test that is gone', ['apps/server/src/claims/gone.test.ts'], []],
    ['of a helper of tests', ['apps/server/src/testing/letters.ts'], ['apps/server/src/mail/mail.test.ts']],
    ['of a helper of journeys', ['e2e/testing/payer.ts'], [PAY]],
    ['of words', ['README.md', 'docs/words.md'], []],
    ['of what is in no feature', ['apps/server/src/start.ts'], ['far apps/server/src/start.ts']],
    [
      'of a folder that nobody has entered',
      ['apps/home/src/new/page.tsx'],
      ['far apps/home/src/new/page.tsx'],
    ],
    [
      'of a migration',
      ['apps/server/migrations/0002_more.sql'],
      ['far apps/server/migrations/0002_more.sql'],
    ],
  ])('%s', (_, changed, expected) => expect(plan(...changed)).toEqual(expected))

  test('always has the house rules', () => {
    expect(planFor([], { files, importers, reach }).tests).toEqual(['tools/house-rules/sizes.test.ts'])
  })
})

describe('the base', () => {
  let checkout = ''
  afterEach(() => rmSync(checkout, { recursive: true, force: true }))

  function git(...args: string[]): string {
    const name = ['-c', 'user.name=Kvitt', '-c', 'user.email=kvitt@example.com']
    const run = spawnSync('git', [...name, ...args], { cwd: checkout, encoding: 'utf8' })
    expect(run.status, run.stderr).toBe(0)
    return run.stdout.trim()
  }
  function commit(file: string): string {
    writeFileSync(join(checkout, file), file)
    git('add', '.')
    git('commit', '-qm', file)
    return git('rev-parse', 'HEAD')
  }

  test('is where a branch left main; on main it is the commit before, or the last when something is not committed', () => {
    checkout = mkdtempSync(join(tmpdir(), 'kvitt-base-'))
    git('init', '-q', '-b', 'main')
    const first = commit('a.ts')
    expect(findBase(checkout)).toBeUndefined()
    const second = commit('b.ts')
    expect(findBase(checkout)).toBe(first)
    expect(listChanged(first, checkout)).toEqual(['b.ts'])
    writeFileSync(join(checkout, 'c.ts'), '')
    expect(findBase(checkout)).toBe(second)
    expect(listChanged(second, checkout)).toEqual(['c.ts'])
    git('switch', '-qc', 'branch')
    commit('d.ts')
    git('rm', '-q', 'a.ts')
    expect(findBase(checkout)).toBe(second)
    expect(listChanged(second, checkout)).toEqual(['a.ts', 'c.ts', 'd.ts'])
  })
})
