import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** A child as start.mjs expects it; it writes what happens to it into `events`. */
const obedient = `
import { appendFileSync } from 'node:fs'
const say = (what) => appendFileSync('events', process.argv[1].split('/').at(-3) + ' ' + what + '\\n')
const end = (what) => setTimeout(() => { say(what); process.exit(0) }, 50)
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => end('stopped'))
process.on('disconnect', () => end('orphaned'))
say('started')
`
const announce = (port: number, lines: string[] = []): string =>
  `setTimeout(() => process.send(${JSON.stringify({ type: 'ready', port, lines })}), 50)\n`

let checkout: string
let running: ChildProcess | undefined

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'kvitt-start-'))
  for (const name of ['start', 'build', 'children', 'install']) {
    cpSync(join(import.meta.dirname, `${name}.mjs`), join(checkout, 'tools', `${name}.mjs`))
  }
  mkdirSync(join(checkout, 'node_modules'))
  writeFileSync(join(checkout, 'package-lock.json'), '{}')
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}')
  writeChild('sandbox', obedient + announce(18_191))
  writeChild('server', obedient + announce(18_190, ['Open it', 'Sign in as anyone']))
})

afterEach(async () => {
  running?.kill('SIGKILL')
  // Children of a killed supervisor write their last line a moment later.
  await sleep(150)
  rmSync(checkout, { recursive: true, force: true })
})

function writeChild(name: string, source: string): void {
  mkdirSync(join(checkout, 'apps', name, 'dist'), { recursive: true })
  writeFileSync(join(checkout, 'apps', name, 'dist/main.js'), source)
}

function start(environment: Record<string, string> = {}) {
  const program = spawn(process.execPath, ['tools/start.mjs'], {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...environment },
  })
  running = program
  let output = ''
  let ready = () => {}
  const isReady = new Promise<void>((settle) => (ready = settle))
  const gather = (chunk: Buffer): void => {
    output += chunk.toString()
    if (/^ready .*\n/m.test(output)) ready()
  }
  program.stdout.on('data', gather)
  program.stderr.on('data', gather)
  const ended = new Promise<number | null>((settle) => program.once('close', (code) => settle(code)))
  return { program, isReady, ended, output: () => output }
}

const events = (): string[] => readFileSync(join(checkout, 'events'), 'utf8').trim().split('\n')

test('the sandbox starts before the server, and the ready line comes last with the real addresses', async () => {
  const product = start()
  await product.isReady
  expect(product.output().trim().split('\n')).toEqual([
    'Open it',
    'Sign in as anyone',
    '',
    'ready http://localhost:18190 sandbox http://localhost:18191',
  ])
  expect(events()).toEqual(['sandbox started', 'server started'])
})

test('SIGTERM stops the server, then the sandbox, and ends with status 0', async () => {
  const product = start()
  await product.isReady
  product.program.kill('SIGTERM')
  expect(await product.ended).toBe(0)
  expect(events().slice(2)).toEqual(['server stopped', 'sandbox stopped'])
})

test('a second Ctrl-C while stopping changes nothing', async () => {
  const product = start()
  await product.isReady
  product.program.kill('SIGINT')
  await sleep(10)
  product.program.kill('SIGINT')
  expect(await product.ended).toBe(0)
  expect(events().slice(2)).toEqual(['server stopped', 'sandbox stopped'])
})

test('a server that refuses to start takes the sandbox along, and its status 2 comes through', async () => {
  writeChild('server', `console.error('The port 18190 is taken.'); process.exit(2)`)
  const product = start()
  expect(await product.ended).toBe(2)
  expect(product.output()).toBe('The port 18190 is taken.\n')
  expect(events()).toEqual(['sandbox started', 'sandbox stopped'])
})

test('a server that crashes later takes the sandbox along', async () => {
  writeChild(
    'server',
    `${obedient}${announce(18_190)}setTimeout(() => process.kill(process.pid, 'SIGKILL'), 150)`,
  )
  const product = start()
  expect(await product.ended).toBe(1)
  expect(product.output()).toContain('The server was killed (SIGKILL).\n')
  expect(events()).toEqual(['sandbox started', 'server started', 'sandbox stopped'])
})

test('when the supervisor is killed, the children learn of it', async () => {
  const product = start()
  await product.isReady
  product.program.kill('SIGKILL')
  await product.ended
  await expect.poll(() => events().slice(2).sort()).toEqual(['sandbox orphaned', 'server orphaned'])
})

test('without the demo no sandbox starts', async () => {
  const product = start({ DEMO: 'off' })
  await product.isReady
  expect(product.output().trim().split('\n').at(-1)).toBe('ready http://localhost:18190')
  expect(events()).toEqual(['server started'])
})

test('when npm is killed, the product stops with it', async () => {
  const npm = `require('node:child_process').spawn(process.execPath, ['tools/start.mjs'], { stdio: 'inherit' })`
  const parent = spawn(process.execPath, ['-e', npm], {
    cwd: checkout,
    env: { PATH: process.env.PATH, npm_lifecycle_event: 'start' },
  })
  const isReady = new Promise<void>((settle) => {
    parent.stdout.on('data', (chunk: Buffer) => chunk.includes('ready http') && settle())
  })
  await isReady
  parent.kill('SIGKILL')
  await expect.poll(() => events().slice(2), { timeout: 5000 }).toEqual(['server stopped', 'sandbox stopped'])
})

test('npm hands signals to the product itself, not to a shell between them', () => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect([scripts.start, scripts.dev]).toEqual([
    'exec node tools/start.mjs',
    'exec node tools/start.mjs --dev',
  ])
})
