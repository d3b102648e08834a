/** The files to run the product from keep what they say of themselves. */
import { readFileSync } from 'node:fs'
import { parse, parseAllDocuments } from 'yaml'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test.each(['kvitt', 'kvitt-jobs'])('%s.service lets the thread of letters stand behind others', (name) => {
  const filters = [...read(`deploy/systemd/${name}.service`).matchAll(/^SystemCallFilter=(.*)$/gm)]
  const denied = filters.flatMap(([, of = '']) => (of.startsWith('~') ? of.slice(1).split(' ') : []))
  expect(denied).toEqual(['@privileged'])
})

type Env = { name: string; valueFrom?: { secretKeyRef?: { name: string } } }
type Container = { name: string; env?: Env[]; envFrom?: { secretRef?: { name: string } }[] }
type Doc = {
  kind: string
  metadata: { name: string }
  spec: {
    selector?: Record<string, string>
    template?: { metadata: { labels: Record<string, string> }; spec: { containers: Container[] } }
  }
}

const documents = parseAllDocuments(read('deploy/kubernetes/kvitt.yaml')).map((one) => one.toJS() as Doc)
const withPods = documents.flatMap(({ kind, spec }) =>
  spec?.template ? [{ kind, ...spec.template.metadata, containers: spec.template.spec.containers }] : [],
)

test('the login that owns the tables is given to the Job that migrates, and to no other pod', () => {
  expect(withPods.map(({ kind }) => kind).toSorted()).toEqual(['Deployment', 'Deployment', 'Job'])
  for (const { kind, containers } of withPods)
    for (const { env = [], envFrom = [] } of containers) {
      const secrets = [
        ...envFrom.map(({ secretRef }) => secretRef?.name),
        ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
      ]
      expect([kind, secrets.includes('kvitt-owner')]).toEqual([kind, kind === 'Job'])
      const owner = env.find(({ name }) => name === 'DATABASE_OWNER_URL')
      expect(owner?.valueFrom?.secretKeyRef?.name).toBe(kind === 'Job' ? 'kvitt-owner' : undefined)
    }
  // What is given to every pod is listed at the head, which once named it there.
  const [, given = ''] =
    /^# Before:[^]*?"kvitt" is given to every pod: ([^]*?)\./m.exec(read('deploy/kubernetes/kvitt.yaml')) ??
    []
  expect(given).toContain('DATABASE_URL')
  expect(given).not.toContain('DATABASE_OWNER_URL')
})

test('Prometheus asks each pod that answers, and not the Job', () => {
  const service = documents.find(
    ({ kind, metadata }) => kind === 'Service' && metadata.name === 'kvitt-metrics',
  )
  const selected = Object.entries(service?.spec.selector ?? {})
  expect(selected.length).toBeGreaterThan(0)
  for (const { kind, labels } of withPods)
    expect([kind, selected.every(([key, value]) => labels[key] === value)]).toEqual([kind, kind !== 'Job'])
})

test('what holds passwords is no part of an image, nor of the repository', () => {
  const { services } = parse(read('deploy/docker/compose.yml')) as {
    services: { kvitt: { env_file: { path: string }[] } }
  }
  expect(services.kvitt.env_file.map(({ path }) => path)).toEqual(['../../kvitt.env'])
  const lines = (path: string): string[] => read(path).split('\n')
  expect(lines('deploy/docker/Dockerfile.dockerignore')).toEqual(
    expect.arrayContaining(['**/.env', '**/.env.*', '**/kvitt.env']),
  )
  expect(lines('.gitignore')).toEqual(expect.arrayContaining(['.env', '.env.*', 'kvitt.env']))
})
