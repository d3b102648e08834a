/** Alarms and dashboard ask for what the product exports, and whoever is woken by an alarm finds its heading in the runbook. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { readProject } from '../house-rules/project.ts'
import { exportedBy, metricsOf, unknownOf } from './exported.ts'

const project = readProject()
const read = (path: string): string => project.find((file) => file.path === path)?.text ?? ''
const FOLDER = 'deploy/prometheus'

type Rule = {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
  readonly labels?: { readonly severity?: string }
  readonly annotations?: { readonly summary?: string; readonly runbook?: string }
}
const { groups } = parse(read(`${FOLDER}/alerts.yml`)) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const records = rules.flatMap(({ record }) => record ?? [])
const exported = exportedBy(project)

type Panel = {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string }[]
}
const dashboard = JSON.parse(read('deploy/grafana/kvitt.json')) as {
  panels: Panel[]
  templating: { list: { query: string | { query: string } }[] }
  annotations: { list: { expr: string }[] }
}

const runbook = read('docs/operations.md')
/** The sections of the page under "Alarms by name", each by its heading. */
const sections = new Map(
  (runbook.split(/^### Alarms by name$/m)[1] ?? '')
    .split(/^## /m)[0]
    ?.split(/^#### /m)
    .slice(1)
    .map((text) => [text.split('\n')[0] ?? '', text] as const),
)

test('what an expression asks for is found, and what it calls by is not', () => {
  expect(metricsOf('sum by (kvitt_x) (rate(kvitt_a_bucket{le="kvitt_b"}[5m])) / kvitt:c:rate1h')).toEqual([
    'kvitt_x',
    'kvitt_a_bucket',
    'kvitt:c:rate1h',
  ])
  expect(metricsOf('up{job="kvitt"} == 0 or absent(up{job="kvitt"})')).toEqual(['up', 'up'])
})

test('a name that nobody exports is seen, in its own name or as part of a histogram', () => {
  const known = new Set(['kvitt_a_seconds'])
  expect(unknownOf(['rate(kvitt_a_seconds_count[5m])', 'kvitt_b'], known, [])).toEqual(['kvitt_b'])
})

test('every metric of a rule is one that the product exports', () => {
  expect(rules.length).toBeGreaterThan(40)
  expect(exported.size).toBeGreaterThan(40)
  expect(
    unknownOf(
      rules.map(({ expr }) => expr),
      exported,
      records,
    ),
  ).toEqual([])
})

test('every alarm wakes somebody or waits, says why, and leads to its heading', () => {
  for (const { alert = '', labels, annotations } of alerts) {
    expect([alert, labels?.severity]).toEqual([alert, expect.stringMatching(/^(page|ticket)$/)])
    expect([alert, annotations?.summary]).toEqual([alert, expect.stringMatching(/\w/)])
    expect(annotations?.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`)
    expect([...sections.keys()], alert).toContain(alert)
    expect([alert, /\(page\)/.test(sections.get(alert) ?? '')]).toEqual([alert, labels?.severity === 'page'])
  }
})

test('every heading of an alarm is one, names a metric that there is, and says what to do', () => {
  const names = alerts.map(({ alert }) => alert)
  expect(sections.size).toBe(alerts.length)
  for (const [heading, text] of sections) {
    expect(names, heading).toContain(heading)
    for (const word of ['**Means.**', '**Look first.**', '**Do.**']) expect(text, heading).toContain(word)
    const named = [...text.matchAll(/`((?:kvitt|nodejs|process)_\w+)`/g)].map(([, name = '']) => name)
    expect(named.length, heading).toBeGreaterThan(0)
    expect(unknownOf(named, exported, records), heading).toEqual([])
  }
})

test('no metric has a label that Prometheus takes for its own, and no rule asks one of ours by it', () => {
  const labels = project
    .filter(
      (file) => /prom-client|\bMeasureGroup\b/.test(file.text) && file.path.startsWith('apps/server/src/'),
    )
    .flatMap((file) =>
      [...file.text.matchAll(/\blabel(?:Name)?s: \[([^\]]*)\]/g)].flatMap(
        ([, of = '']) => of.match(/\w+/g) ?? [],
      ),
    )
  expect(labels.length).toBeGreaterThan(40)
  expect(labels.filter((label) => label === 'job' || label === 'instance')).toEqual([])
  const asked = [read(`${FOLDER}/alerts.yml`), read('deploy/grafana/kvitt.json')].join('\n')
  expect(asked.match(/kvitt_\w+\{[^}]*\bjob[=!]/g) ?? []).toEqual([])
})

test('every metric in the table of alarms is one', () => {
  const named = [...runbook.matchAll(/^\| (.*?) \|/gm)].flatMap(([, first = '']) =>
    [...first.matchAll(/`(kvitt_\w+)`/g)].map(([, name = '']) => name),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(unknownOf(named, exported, [])).toEqual([])
})

test('the dashboard asks for nothing else, and its panels stand beside each other', () => {
  const { panels, templating, annotations } = dashboard
  const queries = templating.list.map(({ query }) => (typeof query === 'string' ? query : query.query))
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(expressions.length).toBeGreaterThan(20)
  expect(
    unknownOf([...expressions, ...queries, ...annotations.list.map(({ expr }) => expr)], exported, records),
  ).toEqual([])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const taken = new Set<string>()
  for (const { title, gridPos, type } of panels) {
    expect(['row', 'stat', 'timeseries', 'table']).toContain(type)
    expect([title, gridPos.x + gridPos.w <= 24]).toEqual([title, true])
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect([title, taken.has(`${x}:${y}`)]).toEqual([title, false])
        taken.add(`${x}:${y}`)
      }
  }
})

const promtool = (...args: string[]) =>
  spawnSync('promtool', args, { cwd: join(import.meta.dirname, '../..', FOLDER), encoding: 'utf8' })
const hasPromtool = promtool('--version').error === undefined

test('the rules do what their own tests say', ({ skip }) => {
  skip(!hasPromtool, 'promtool is not installed')
  const checked = promtool('check', 'rules', 'alerts.yml')
  expect([checked.status, checked.stdout + checked.stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
  const tests = ['alerts.test.yml', 'alerts-of-hours.test.yml', 'alerts-of-days.test.yml']
  const tested = promtool('test', 'rules', ...tests)
  expect([tested.status, tested.stdout + tested.stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
})
