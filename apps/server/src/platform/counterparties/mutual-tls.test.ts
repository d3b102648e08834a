import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ensureCertificates } from '../../../../sandbox/src/certificates.ts'
import { openMutualTls, type TlsCall } from './mutual-tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-tls-'))
const file = (name: string): string => join(folder, name)
let server: Server
let connections = 0
/** Ends the call at `/slow`, which waits for it. */
let answerSlow = (): void => {}

beforeAll(async () => {
  await ensureCertificates(folder, Date.now())
  const [cert, key, ca] = ['server.pem', 'server-key.pem', 'ca.pem'].map((name) => readFileSync(file(name)))
  server = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true }, (call, answer) => {
    if (call.url === '/hang-up') call.socket.destroy()
    else if (call.url === '/who') answer.end((call.socket as TLSSocket).getPeerCertificate().serialNumber)
    else if (call.url === '/slow') answerSlow = () => answer.end('slow')
    else answer.end('at once')
  })
  server.on('secureConnection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  connections = 0
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

function caller() {
  const files = {
    caFile: file('ca.pem'),
    certificateFile: file('client.pem'),
    keyFile: file('client-key.pem'),
  }
  const call = openMutualTls(files, { timeoutMs: 8_000, unavailable: (reason) => new Error(reason) })
  const at = (path: string): TlsCall => ({
    method: 'GET',
    url: `https://localhost:${(server.address() as AddressInfo).port}${path}`,
    headers: {},
  })
  return (path: string) => call(at(path))
}

test('a call that breaks off takes no other call with it', async () => {
  const call = caller()
  const slow = call('/slow')
  await expect.poll(() => connections).toBe(1)
  await expect(call('/hang-up')).rejects.toThrow('socket hang up')
  expect((await call('/')).body).toBe('at once')
  answerSlow()
  expect((await slow).body).toBe('slow')
})

test('a connection is used again, but not one that has been idle for as long as others close them', async () => {
  const call = caller()
  await call('/')
  await call('/')
  expect(connections).toBe(1)
  await sleep(3_500)
  await call('/')
  expect(connections).toBe(2)
})

test('a certificate that is renewed is shown from the next connection on, and a half of it never', async () => {
  const own = file('own')
  await ensureCertificates(own, Date.now())
  await ensureCertificates(file('next'), Date.now())
  const files = {
    caFile: file('ca.pem'),
    certificateFile: join(own, 'client.pem'),
    keyFile: join(own, 'client-key.pem'),
  }
  const [cert, key] = ['server.pem', 'server-key.pem'].map((name) => readFileSync(file(name)))
  let answer = (): void => {}
  // It lets everybody in, and says whose certificate it was shown.
  const curious = createServer(
    { cert, key, requestCert: true, rejectUnauthorized: false },
    (incoming, out) => {
      const shown = (incoming.socket as TLSSocket).getPeerCertificate().serialNumber
      if (incoming.url === '/slow') answer = () => out.end(shown)
      else out.end(shown)
    },
  )
  await new Promise<void>((resolve) => curious.listen(0, '127.0.0.1', resolve))
  const call = openMutualTls(files, { timeoutMs: 8_000, unavailable: (reason) => new Error(reason) })
  const ask = async (path: string) => {
    const url = `https://localhost:${(curious.address() as AddressInfo).port}${path}`
    return (await call({ method: 'GET', url, headers: {} })).body
  }
  const serial = () => new X509Certificate(readFileSync(files.certificateFile)).serialNumber
  const before = serial()
  const slow = ask('/slow')
  expect(await ask('/')).toBe(before)

  copyFileSync(file('next/client.pem'), files.certificateFile)
  expect(await ask('/')).toBe(before)
  copyFileSync(file('next/client-key.pem'), files.keyFile)
  expect(await ask('/')).toBe(serial())
  rmSync(files.keyFile)
  expect(await ask('/')).toBe(serial())
  answer()
  expect(await slow).toBe(before)
  expect(serial()).not.toBe(before)
  curious.close()
  curious.closeAllConnections()
})
