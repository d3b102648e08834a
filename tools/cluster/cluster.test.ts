/** What of the cluster needs no packages of Debian: its settings are those of deploy/, its lines cut, and its reaper ends what is left. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { afterAll, expect, test } from 'vitest'
import { NODES, portsFrom, type Layout } from './layout.ts'
import { isOf, openLine } from './lines.ts'
import { openProcesses, signalAll } from './processes.ts'
import { etcdOf, haproxyOf, patroniOf } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-cluster-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const passwords = { superuser: 'p1', replication: 'p2', rewind: 'p3', owner: 'p4', app: 'p5' }
const layout: Layout = { folder, ports: portsFrom(18_900), passwords, account: undefined }
const read = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8')

test('no two of the cluster listen on the same port', () => {
  const { ports } = layout
  const all = [
    ...NODES.flatMap((node) => [
      ports.postgres(node),
      ports.postgresLine(node),
      ports.rest(node),
      ports.restLine(node),
      ports.etcd(node),
      ports.etcdPeer(node),
      ...NODES.map((member) => ports.etcdLine(node, member)),
    ]),
    ...(['api1', 'api2', 'jobs'] as const).map((name) => ports.host(name)),
    ports.proxy,
    ...[0, 1, 2].map((n) => ports.sandbox + n),
  ]
  expect(new Set(all).size).toBe(all.length)
  expect(all.every((port) => port > 18_900 && port < 19_000)).toBe(true)
})

test('what is started is deploy/cluster/patroni.yml: it keeps what was acknowledged, and a leader that is silent ends within half a minute', () => {
  const file = parse(read('cluster/patroni.yml')) as { bootstrap: { dcs: Record<string, unknown> } }
  const made = parse(patroniOf(layout, 2, '/bin')) as typeof file & { name: string }
  const { postgresql: _, ...dcs } = file.bootstrap.dcs
  expect(made.bootstrap.dcs).toMatchObject(dcs)
  expect(dcs).toMatchObject({
    synchronous_mode: 'quorum',
    synchronous_mode_strict: true,
    failsafe_mode: true,
  })
  const [ttl, loop, retry] = [dcs['ttl'], dcs['loop_wait'], dcs['retry_timeout']].map(Number) as [
    number,
    number,
    number,
  ]
  expect(ttl).toBeLessThanOrEqual(20)
  expect(ttl).toBeGreaterThanOrEqual(loop + 2 * retry)
  expect(made.name).toBe('db2')
  expect(patroniOf(layout, 2, '/bin')).not.toMatch(/10\.0\.0\.|change-me|\b1894\d\b/)
})

test('the files of etcd and HAProxy are those of deploy, on loopback', () => {
  const { 'heartbeat-interval': beat, 'enable-grpc-gateway': gateway } = parse(read('cluster/etcd.yml'))
  expect(parse(etcdOf(layout, 3))).toMatchObject({
    name: 'etcd3',
    'heartbeat-interval': beat,
    'enable-grpc-gateway': gateway,
  })
  expect(gateway).toBe(true)
  const haproxy = haproxyOf(layout)
  expect(haproxy.match(/server [ab] 127\.0\.0\.1:1897[12]/g)).toHaveLength(4)
  expect(haproxy).not.toMatch(/ssl|10\.0\.0\.|:80$|chroot/m)
  // Nothing else was left out.
  const kept = haproxy.split('\n').filter((line) => read('proxies/haproxy.cfg').includes(line))
  expect(kept.length).toBeGreaterThan(0.8 * read('proxies/haproxy.cfg').split('\n').length)
})

test('a line that is cut hears nothing, one that is cut for some lets others through, and healed it passes', async () => {
  const echo = createServer((socket) => socket.on('error', () => {}).pipe(socket))
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  await new Promise((settle) => free.close(settle))
  const line = await openLine(port, (echo.address() as AddressInfo).port)
  const sockets: Socket[] = []
  const answers = async (): Promise<boolean> => {
    const socket = createConnection(port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    socket.write('x')
    return Promise.race([once(socket, 'data').then(() => true), sleep(1_500, false)])
  }
  try {
    expect(await answers()).toBe(true)
    line.cut((from) => isOf(() => [process.pid], from, process.getuid?.()))
    expect(await answers()).toBe(false)
    line.cut((from) => isOf(() => [1], from))
    expect(await answers()).toBe(true)
    line.cut()
    expect(await answers()).toBe(false)
    line.heal()
    expect(await answers()).toBe(true)
  } finally {
    for (const socket of sockets) socket.destroy()
    line.close()
    echo.close()
  }
})

test('what was started ends with whoever started it, standing still or not', async () => {
  const processes = openProcesses(layout, [])
  const programs = ['walks', 'stands'].map((name) =>
    processes.start({ name, command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }),
  )
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  signalAll([programs[1]?.pid ?? 0], 'SIGSTOP')
  await processes.stopAll()
  await Promise.all(programs.map(({ ended }) => ended))
  expect(programs.map((one) => one.isRunning())).toEqual([false, false])
  expect(stranger.exitCode).toBeNull()
  stranger.kill('SIGKILL')
}, 40_000)
