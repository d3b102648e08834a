/** The files of deploy/, as they are but for addresses, folders and passwords: what is tried here is what is installed there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { NODES, type Layout, type Node } from './layout.ts'

const read = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8')

type Patroni = {
  name: string
  restapi: Record<string, unknown>
  etcd3: Record<string, unknown>
  bootstrap: { dcs: { postgresql: { parameters: Record<string, unknown> } } }
  postgresql: Record<string, unknown>
}

/** Little memory is enough for what is tried here, and nobody connects by a socket. */
const SMALL = { shared_buffers: '96MB', max_wal_size: '512MB', unix_socket_directories: '' }

/** Of one database's host. */
export function patroniOf({ ports, passwords, folder }: Layout, node: Node, binDir: string): string {
  const file = parse(read('cluster/patroni.yml')) as Patroni
  file.name = `db${node}`
  file.restapi = {
    ...file.restapi,
    listen: `127.0.0.1:${ports.rest(node)}`,
    connect_address: `127.0.0.1:${ports.restLine(node)}`,
  }
  // Else it asks the members for their own addresses, and goes past the lines.
  file.etcd3 = {
    ...file.etcd3,
    use_proxies: true,
    hosts: NODES.map((member) => `127.0.0.1:${ports.etcdLine(node, member)}`),
  }
  Object.assign(file.bootstrap.dcs.postgresql.parameters, SMALL)
  const hba = (file.postgresql['pg_hba'] as string[])
    .filter((line) => !line.startsWith('local'))
    .map((line) => line.replace('10.0.0.0/24', '127.0.0.1/32'))
  const login = (username: string, password: string) => ({ username, password })
  file.postgresql = {
    ...file.postgresql,
    listen: `127.0.0.1:${ports.postgres(node)}`,
    connect_address: `127.0.0.1:${ports.postgresLine(node)}`,
    data_dir: dataDirOf(folder, node),
    bin_dir: binDir,
    pgpass: join(folder, `db${node}`, 'pgpass'),
    pg_hba: hba,
    authentication: {
      superuser: login('postgres', passwords.superuser),
      replication: login('replicator', passwords.replication),
      rewind: login('rewinder', passwords.rewind),
    },
  }
  return stringify(file)
}

/** Where the database of a host is. */
export const dataDirOf = (folder: string, node: Node): string => join(folder, `db${node}`, 'data')

/** Of one member of etcd. */
export function etcdOf({ ports, folder }: Layout, member: Node): string {
  const peer = (one: Node): string => `http://127.0.0.1:${ports.etcdPeer(one)}`
  const client = `http://127.0.0.1:${ports.etcd(member)}`
  return stringify({
    ...(parse(read('cluster/etcd.yml')) as object),
    name: `etcd${member}`,
    'data-dir': join(folder, `etcd${member}`, 'data'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer(member),
    'initial-advertise-peer-urls': peer(member),
    'initial-cluster': NODES.map((one) => `etcd${one}=${peer(one)}`).join(','),
  })
}

/** What stands in front of the two hosts that answer: deploy/proxies/haproxy.cfg, without TLS and without an account of its own. */
export function haproxyOf({ ports }: Layout): string {
  const servers = { a: ports.host('api1'), b: ports.host('api2') }
  return (
    read('proxies/haproxy.cfg')
      .replace(/^ *(user|group|chroot|ssl-default-bind-options) .*\n/gm, '')
      // Whoever plays people here has one address.
      .replace(/^ *(stick-table|tcp-request connection) .*\n/gm, '')
      .replace(/^ *bind :443 .*\n/m, '')
      .replace(/^ *http-request redirect scheme https .*\n/m, '')
      .replace('bind :80', `bind 127.0.0.1:${ports.proxy}`)
      .replace('X-Forwarded-Proto https', 'X-Forwarded-Proto http')
      .replace(
        /^( *server) ([ab]) .*$/gm,
        (_, word: string, name: 'a' | 'b') => `${word} ${name} 127.0.0.1:${servers[name]}`,
      )
  )
}
