import { describe, expect, test } from 'vitest'
import {
  breaksContracts,
  breaksExtensions,
  breaksFeatures,
  breaksLayers,
  breaksPlatform,
  breaksPortals,
  breaksPurity,
  findAliases,
  findCircles,
  findStrangers,
} from './imports.ts'
import { readProject, type ProjectFile } from './project.ts'
import { importsOf, resolveImport } from './syntax.ts'

const project = readProject()

const file = (path: string, ...lines: string[]): ProjectFile => ({ path, text: lines.join('\n') })
const RULES = {
  breaksLayers,
  breaksExtensions,
  breaksContracts,
  breaksPurity,
  breaksFeatures,
  breaksPlatform,
  breaksPortals,
  findAliases,
  findCircles,
  findStrangers,
}

describe('this project', () => {
  test('was found', () => {
    const paths = project.map(({ path }) => path)
    expect(paths).toContain('packages/domain/src/money.ts')
    expect(paths).toContain('tools/house-rules/imports.test.ts')
  })

  test.each(Object.entries(RULES))('%s: nothing', (_name, rule) => {
    expect(rule(project)).toEqual([])
  })
})

describe('reading imports', () => {
  test('finds every way to import, and knows which are erased', () => {
    const all = importsOf(
      file(
        'packages/ui/src/a.ts',
        "import type { A } from './a1.ts'",
        "import { type B } from './a2.ts'",
        "import './a3.css'",
        "export * from './a4.ts'",
        "export type { C } from './a5.ts'",
        "const d: import('./a6.ts').D = await import('./a7.ts')",
        "// import './in-a-comment.ts'",
        'const text = "import \'./in-a-text.ts\'"',
      ),
    )
    expect(all.map(({ specifier, typeOnly }) => [specifier, typeOnly])).toEqual([
      ['./a1.ts', true],
      ['./a2.ts', false],
      ['./a3.css', false],
      ['./a4.ts', false],
      ['./a5.ts', true],
      ['./a6.ts', true],
      ['./a7.ts', false],
    ])
  })

  test('follows relative paths and our own packages', () => {
    expect(resolveImport('apps/server/src/payments/payments.ts', '../ledger/ledger.ts')).toBe(
      'apps/server/src/ledger/ledger.ts',
    )
    expect(resolveImport('apps/debtor/src/main.tsx', '@kvitt/domain/money.ts')).toBe(
      'packages/domain/src/money.ts',
    )
    expect(resolveImport('apps/debtor/src/main.tsx', './bar.svg?raw')).toBe('apps/debtor/src/bar.svg')
    expect(resolveImport('apps/debtor/src/main.tsx', 'react')).toBeUndefined()
    expect(resolveImport('apps/debtor/src/main.tsx', 'node:fs')).toBeUndefined()
  })
})

/** Rule, importing file, import line. */
const FORBIDDEN: [keyof typeof RULES, string, string][] = [
  ['breaksLayers', 'packages/domain/src/money.ts', "import '@kvitt/ui/api.ts'"],
  ['breaksLayers', 'packages/ui/src/api.ts', "import '../../../apps/debtor/src/main.tsx'"],
  ['breaksLayers', 'apps/debtor/src/main.tsx', "import type { A } from '../../server/src/main.ts'"],
  ['breaksLayers', 'apps/debtor/src/main.tsx', "import '../../client/src/main.tsx'"],
  ['breaksLayers', 'apps/server/src/main.ts', "import '@kvitt/ui/api.ts'"],
  ['breaksLayers', 'apps/server/src/main.ts', "import '../../sandbox/src/main.ts'"],
  ['breaksLayers', 'apps/sandbox/src/main.ts', "import type { Money } from '@kvitt/domain/money.ts'"],
  ['breaksLayers', 'apps/server/src/main.ts', "import '../../../tools/vectors.ts'"],
  ['breaksExtensions', 'apps/server/src/main.ts', "import './config'"],
  [
    'breaksContracts',
    'apps/debtor/src/calls.ts',
    "import { a } from '@kvitt/domain/invoices/invoice.contract.ts'",
  ],
  ['breaksContracts', 'packages/ui/src/api.ts', "import { type A } from '@kvitt/domain/contract.ts'"],
  ['breaksContracts', 'packages/domain/src/payments/payment.ts', "import { a } from './payment.contract.ts'"],
  ['breaksPurity', 'packages/domain/src/money.ts', "import { readFileSync } from 'node:fs'"],
  ['breaksPurity', 'packages/domain/src/money.ts', "import { z } from 'zod'"],
  ['breaksPurity', 'packages/domain/src/contract.ts', "import pg from 'pg'"],
  ['breaksPurity', 'apps/debtor/src/main.tsx', "import { z } from 'zod'"],
  ['breaksPurity', 'packages/ui/src/api.ts', "import 'node:crypto'"],
  ['breaksFeatures', 'apps/server/src/payments/payments.ts', "import '../invoices/invoices.queries.ts'"],
  [
    'breaksFeatures',
    'apps/server/src/payments/payments.ts',
    "import type { A } from '../instances/branding.ts'",
  ],
  ['breaksFeatures', 'apps/server/src/ledger/ledger.ts', "import '../invoices/invoices.ts'"],
  ['breaksFeatures', 'apps/server/src/documents/documents.ts', "import '../payments/payments.ts'"],
  ['breaksFeatures', 'apps/server/src/payments/payments.ts', "import '../imports/imports.ts'"],
  ['breaksFeatures', 'apps/server/src/mail/mail.ts', "import type { A } from '../demo/demo.ts'"],
  ['breaksPlatform', 'apps/server/src/platform/http/serve.ts', "import '../../invoices/invoices.ts'"],
  [
    'breaksPlatform',
    'apps/server/src/platform/http/serve.ts',
    "import type { A } from '../../sign-in/viewer.ts'",
  ],
  ['breaksPlatform', 'apps/server/config/config.ts', "import '../src/payments/payments.ts'"],
  ['breaksPlatform', 'apps/server/src/context.ts', "import type { A } from './payments/gateways/gateway.ts'"],
  ['breaksPlatform', 'apps/server/src/context.ts', "import { a } from '../src/payments/payments.ts'"],
  ['breaksPortals', 'apps/debtor/src/payments/pay-button.tsx', "import '../invoices/amount.tsx'"],
  ['breaksPortals', 'apps/debtor/src/calls.ts', "import './invoices/amount.tsx'"],
  ['breaksPortals', 'apps/debtor/src/shell/bar.tsx', "import '../debts/debt.ts'"],
]

const ALLOWED: [keyof typeof RULES, string, string][] = [
  ['breaksLayers', 'packages/ui/src/api.ts', "import '@kvitt/domain/money.ts'"],
  ['breaksLayers', 'apps/server/src/payments/payments.test.ts', "import '../../../sandbox/src/main.ts'"],
  [
    'breaksLayers',
    'e2e/payments/pay-an-invoice.spec.ts',
    "import '../apps/server/src/testing/start-test-server.ts'",
  ],
  ['breaksContracts', 'apps/debtor/src/calls.ts', "import type { A } from '@kvitt/domain/contract.ts'"],
  ['breaksContracts', 'apps/server/src/main.ts', "import { a } from '@kvitt/domain/contract.ts'"],
  ['breaksPurity', 'packages/domain/src/contract.ts', "import { z } from 'zod'"],
  ['breaksPurity', 'packages/domain/src/money.test.ts', "import { test } from 'vitest'"],
  ['breaksFeatures', 'apps/server/src/payments/payments.ts', "import '../invoices/invoices.ts'"],
  ['breaksFeatures', 'apps/server/src/payments/payments.ts', "import '../sign-in/viewer.ts'"],
  ['breaksPlatform', 'apps/server/src/main.ts', "import './payments/payments.ts'"],
  ['breaksPlatform', 'apps/server/commands/task-cli.ts', "import '../src/payments/payments.ts'"],
  ['breaksPortals', 'apps/debtor/src/invoices/invoice-page.tsx', "import '../payments/pay-button.tsx'"],
  ['breaksPortals', 'apps/debtor/src/payments/pay-button.tsx', "import './method-card.tsx'"],
  ['breaksPortals', 'apps/debtor/src/payments/pay-button.tsx', "import '../debts/debt.ts'"],
]

describe('planted imports', () => {
  test.each(FORBIDDEN)('%s sees in %s: %s', (rule, path, line) => {
    expect(RULES[rule]([file(path, '', line)])).toEqual([expect.stringContaining(`${path}:2 imports`)])
  })

  test.each(ALLOWED)('%s lets pass in %s: %s', (rule, path, line) => {
    expect(RULES[rule]([file(path, line)])).toEqual([])
  })

  test('a circle of files is seen, of types in the server and the packages', () => {
    const circle = (keyword: string) => [
      file('apps/sandbox/src/a.ts', "import { b } from './b.ts'"),
      file('apps/sandbox/src/b.ts', "import { c } from './c.ts'"),
      file('apps/sandbox/src/c.ts', `${keyword} { a } from './a.ts'`),
    ]
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `apps/sandbox/src/${name}.ts`)
    expect(findCircles(circle('import'))).toEqual([`${a} -> ${b} -> ${c} -> ${a}`])
    expect(findCircles(circle('import type'))).toEqual([])
    expect(findCircles([file('apps/sandbox/src/a.ts', "import './a.ts'")])).toHaveLength(1)
    const typed = ['a', 'b'].map((name) => `packages/domain/src/${name}.ts`)
    const other = [
      file(typed[0] ?? '', "import type { b } from './b.ts'"),
      file(typed[1] ?? '', "import './a.ts'"),
    ]
    expect(findCircles(other)).toEqual([`${typed[0]} -> ${typed[1]} -> ${typed[0]}`])
  })

  test('a circle of features is seen, also by types', () => {
    const circle = [
      file('apps/server/src/imports/imports.ts', "import '../creditors/creditors.ts'"),
      file('apps/server/src/creditors/creditors.ts', "import type { A } from '../imports/imports.ts'"),
    ]
    expect(findCircles(circle)).toContain('imports -> creditors -> imports')
  })

  test('a folder of the server that the order does not know is seen, and a name without a folder', () => {
    const all = findStrangers([...project, file('apps/server/src/lottery/lottery.ts', '')])
    expect(all).toEqual([expect.stringContaining('apps/server/src/lottery/ is new')])
    const withoutDemo = project.filter(({ path }) => !path.startsWith('apps/server/src/demo/'))
    expect(findStrangers(withoutDemo)).toEqual(['apps/server/src/demo/ is gone from the tree'])
  })

  test('an alias is seen', () => {
    const config = (path: string, value: object) => ({ path, text: JSON.stringify(value) })
    expect(
      findAliases([config('apps/debtor/tsconfig.json', { compilerOptions: { paths: {} } })]),
    ).toHaveLength(1)
    expect(findAliases([config('package.json', { imports: { '#a': './a.ts' } })])).toHaveLength(1)
    expect(findAliases([config('package.json', { exports: { './*': './src/*' } })])).toEqual([])
    expect(findAliases([config('docs/paths.json', { paths: [] })])).toEqual([])
  })
})
