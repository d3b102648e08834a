/** What deploy/proxies tells a proxy in front is what the program does itself. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readConfig } from '../../../config/config.ts'
import { BINDINGS } from '../../api.ts'
import {
  AROUND_FILE,
  BODY_MS,
  FORM_MS,
  HEADERS_MS,
  KEEP_ALIVE_MS,
  LARGEST_BODY,
  LARGEST_HEADERS,
  SILENT_MS,
} from './limits.ts'
import { PROXY_HEADERS } from './loopback.ts'
import { pathsOf } from './paths.ts'

const read = (name: string): string =>
  readFileSync(
    fileURLToPath(new URL(`../../../../../deploy/proxies/${name}`, import.meta.url)),
    'utf8',
  ).replace(/^\s*#.*$/gm, '')
const [nginx, caddy, haproxy] = [read('nginx.conf'), read('Caddyfile'), read('haproxy.cfg')]
const { port, limits } = readConfig({})

/** Every value that a directive has, in order; seconds and kilobytes as plain numbers. */
const valuesOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^\\s*${name}\\s+([^;\\n]+?);?$`, 'gm'))].map(([, value = '']) => value)
const seconds = (ms: number): string => `${ms / 1000}s`
const kilobytes = (bytes: number): number => bytes / 1024
const sizes = BINDINGS.map(({ contract }) => contract.largestFile ?? 0)
const WITH_FILE = Math.max(...sizes) + AROUND_FILE

test.each([
  ['nginx', /location ~ (\S+) \{/.exec(nginx)],
  ['Caddy', /@files path_regexp (\S+)/.exec(caddy)],
  ['Caddy', /@others not path_regexp (\S+)/.exec(caddy)],
  ['HAProxy', /acl takes_file path_reg (\S+)/.exec(haproxy)],
  ['HAProxy', /set-timeout server 180s if \{ path_reg (\S+) \}/.exec(haproxy)],
])('%s lets the calls through that take a file, and no other', (_, found) => {
  const isLarge = new RegExp(found?.[1] ?? '')
  const calls = BINDINGS.flatMap(({ contract, routes }) =>
    routes.flatMap(({ door }) => pathsOf(contract, door).map((path) => ({ path, contract }))),
  )
  expect(calls.length).toBeGreaterThan(300)
  const taken = calls.filter(({ path }) => isLarge.test(path.replace(/:\w+/g, '1a2b-3')))
  const wanted = calls.filter(({ contract }) => contract.largestFile !== undefined)
  const names = (some: typeof calls) => [...new Set(some.map(({ path }) => path))].toSorted()
  expect(names(taken)).toEqual(names(wanted))
})

test('nginx: port, times, sizes and the number of connections are the program’s', () => {
  const told = (name: string): string[] => valuesOf(nginx, name)
  expect(told('server')).toContain(`127.0.0.1:${port}`)
  expect(told('client_header_timeout')).toEqual([seconds(HEADERS_MS)])
  expect(told('client_body_timeout')).toEqual([seconds(BODY_MS)])
  expect(told('send_timeout')).toEqual([seconds(SILENT_MS)])
  expect(told('proxy_send_timeout')).toEqual([seconds(BODY_MS), seconds(FORM_MS)])
  expect(told('proxy_read_timeout')).toEqual([seconds(SILENT_MS), seconds(FORM_MS)])
  expect(told('client_max_body_size')).toEqual([`${kilobytes(LARGEST_BODY)}k`, `${kilobytes(WITH_FILE)}k`])
  expect(told('large_client_header_buffers')).toEqual([`2 ${kilobytes(LARGEST_HEADERS)}k`])
  expect(told('limit_conn')).toEqual([`kvitt_address ${limits.connectionsPerAddress}`])
})

test('nginx: no connection is kept longer than the program keeps it', () => {
  for (const kept of valuesOf(nginx, 'keepalive_timeout'))
    expect(Number.parseInt(kept, 10) * 1000).toBeLessThan(KEEP_ALIVE_MS)
})

test('nginx: what speaks for a visitor is written anew, and Host stays', () => {
  const headers = new Map(
    valuesOf(nginx, 'proxy_set_header').map((value) => [value.split(' ')[0]?.toLowerCase(), value]),
  )
  expect(headers.get('host')).toBe('Host $host')
  expect(headers.get('x-forwarded-for')).toBe('X-Forwarded-For $remote_addr')
  expect(headers.get('x-forwarded-proto')).toBe('X-Forwarded-Proto $scheme')
  for (const name of ['x-forwarded-host', 'forwarded']) {
    expect(PROXY_HEADERS).toContain(name)
    expect(headers.get(name)).toMatch(/ ""$/)
  }
})

test('nginx: neither log has an address in it', () => {
  expect(nginx).toMatch(/access_log \S+ kvitt;/)
  expect(valuesOf(nginx, 'log_format').join()).not.toMatch(/uri|request\b|args|referer|remote|http_/)
  expect(valuesOf(nginx, 'error_log')).toEqual([expect.stringMatching(/ crit$/)])
})

test('Caddy: port, times and sizes are the program’s, and its log has no address in it', () => {
  const told = (name: string): string[] => valuesOf(caddy, name)
  expect(caddy).toContain(`reverse_proxy 127.0.0.1:${port} {`)
  expect(told('read_header')).toEqual([seconds(HEADERS_MS)])
  expect(told('read_body')).toEqual([seconds(FORM_MS)])
  expect(told('response_header_timeout')).toEqual([seconds(SILENT_MS)])
  expect(told('max_header_size')).toEqual([`${kilobytes(LARGEST_HEADERS)}KiB`])
  expect(told('max_size')).toEqual([`${kilobytes(WITH_FILE)}KiB`, `${kilobytes(LARGEST_BODY)}KiB`])
  expect(Number.parseInt(told('keepalive')[0] ?? '', 10) * 1000).toBeLessThan(KEEP_ALIVE_MS)
  expect(told('header_up')).toEqual(['-X-Forwarded-Host', '-Forwarded'])
  expect(caddy).toMatch(/fields \{\s+request delete\s+resp_headers delete/)
})

test('HAProxy: times, sizes and the number of connections are the program’s', () => {
  const told = (name: string): string[] =>
    [...haproxy.matchAll(new RegExp(`^\\s*timeout ${name}\\s+(\\S+)$`, 'gm'))].map(([, value = '']) => value)
  expect(told('http-request')).toEqual([seconds(HEADERS_MS)])
  expect([...told('client'), ...told('server')]).toEqual([seconds(SILENT_MS), seconds(SILENT_MS)])
  expect(haproxy).toContain(`set-timeout server ${seconds(FORM_MS)} if`)
  for (const kept of told('http-keep-alive'))
    expect(Number.parseInt(kept, 10) * 1000).toBeLessThan(KEEP_ALIVE_MS)
  expect(haproxy).toContain(`acl too_large req.hdr(content-length),div(1024) ge ${kilobytes(LARGEST_BODY)}`)
  expect(haproxy).toContain(`acl too_large_file req.hdr(content-length),div(1024) ge ${kilobytes(WITH_FILE)}`)
  expect(haproxy).toContain(`sc0_conn_cur gt ${limits.connectionsPerAddress} }`)
})

test('HAProxy: what speaks for a visitor is written anew, a payment is never sent twice, and no log has an address', () => {
  expect(haproxy).toMatch(/set-header X-Forwarded-For %\[src\]/)
  expect(haproxy).toMatch(/set-header X-Forwarded-Proto https/)
  for (const name of ['x-forwarded-host', 'forwarded'])
    expect(haproxy.toLowerCase()).toContain(`http-request del-header ${name}\n`)
  expect(haproxy).toMatch(/disable-l7-retry unless METH_GET or \{ method HEAD \}/)
  expect(haproxy).toMatch(/return status 404 if \{ path \/metrics \} or \{ path_beg \/api\/demo \}/)
  // %r, %HP, %HU and %HQ are the address, %ci the visitor's, %hr and %hs headers.
  expect(/log-format "(.*)"/.exec(haproxy)?.[1]).not.toMatch(
    /%\{?[-+]?\w*\}?(r|HP|HPO|HU|HQ|ci|cp|hr|hs|hrl|hsl|CC|CS)\b/,
  )
})

test('HAProxy: while none is ready all of them are asked', () => {
  expect(haproxy).toMatch(/use_backend kvitt_any if \{ nbsrv\(kvitt\) eq 0 \}/)
  const [ready = '', any = ''] = haproxy.split(/^backend /m).slice(1)
  const serversOf = (text: string) => text.match(/^\s*server .*$/gm)
  expect(serversOf(ready)).toEqual(serversOf(any))
  expect(any).not.toMatch(/\bcheck\b/)
})
