import { X509Certificate } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { dirname, join } from 'node:path'
import { answerSignPage } from './bank/sign-page.ts'
import { openXs2a } from './bank/xs2a.ts'
import { answerRp } from './eid/rp.ts'
import { ensureCertificates } from './certificates.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { StartRefusal } from './config.ts'
import type { SandboxConfig } from './config.ts'
import { answerControl } from './control.ts'
import type { Target } from './faults.ts'
import { answerSms } from './mail/sms.ts'
import { startSmtp } from './mail/smtp.ts'
import { answerSwish } from './mobile/swish.ts'
import { answerPage } from './page/page.ts'
import { answerReceiver } from './receiver/answer-receiver.ts'
import { answerAfter, answerSentence, isLoopbackName, LETTER_LIMIT_BYTES, listener } from './serve.ts'
import type { Answer, Call } from './serve.ts'
import { openParts } from './open-parts.ts'
import type { Parts } from './open-parts.ts'

const TICK_MS = 500

export interface RunningSandbox {
  /** Page, control calls and signing page, plain http. */
  port: number
  /** The APIs of the bank, Swish, the electronic ID, mailboxes and e-invoices, https with a client certificate. */
  apiPort: number
  /** The mail server, plain until STARTTLS. */
  mailPort: number
  /** Folder with ca.pem, client.pem and client-key.pem for their client. */
  certificates: string
  stop(): Promise<void>
}

/**
 * Starts the counterparties on loopback. Throws StartRefusal with one sentence when a port is taken
 * or the data folder cannot be used. `clock` is for tests.
 */
export async function startSandbox(
  config: SandboxConfig,
  clock: Clock = systemClock,
): Promise<RunningSandbox> {
  const folder = join(config.dataDir, 'sandbox')
  const certificates = join(folder, 'certificates')
  const closers: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    let answerCall = async (_: Call) => answerSentence(503, 'The sandbox is starting.')
    let saved = async () => {}
    const waits = { after: clock.after, saved: () => saved() }
    const http = createHttpServer(listener((call) => answerCall(call), waits))
    // The port is taken first: a second sandbox must not touch the files of the one that runs.
    const port = await listen(http, config.port, config.host)
    closers.push(() => close(http))
    const files = await inFolder(folder, () => ensureCertificates(certificates, clock.now()))
    const parts = await inFolder(folder, () => openParts(join(folder, 'bank.jsonl'), port, config, clock))
    // First in the list, closed last: no call may be answered after the journal is closed.
    closers.unshift(parts.close)
    saved = parts.journal.saved
    const https = createHttpsServer(
      {
        cert: files['server.pem'],
        key: files['server-key.pem'],
        ca: files['ca.pem'],
        requestCert: true,
        rejectUnauthorized: true,
        minVersion: 'TLSv1.2',
      },
      listener(openApis(parts, new X509Certificate(files['ca.pem'])), waits, LETTER_LIMIT_BYTES),
    )
    const apiPort = await listen(https, config.port === 0 ? 0 : config.port + 1, config.host)
    closers.push(() => close(https))
    const smtp = await startSmtp(
      {
        ...parts,
        faults: parts.allFaults.of('mail'),
        key: files['server-key.pem'],
        certificate: files['server.pem'],
      },
      config.port === 0 ? 0 : config.port + 2,
      config.host,
    )
    closers.push(smtp.stop)
    answerCall = (call) => answerBrowser(parts, call, isLoopbackName(config.host))
    closers.push(keepTicking(parts, clock))
    return { port, apiPort, mailPort: smtp.port, certificates, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** One listener for every API that wants a client certificate: each knows its own paths, the bank takes the rest. */
function openApis(parts: Parts, authority: X509Certificate): (call: Call) => Promise<Answer> {
  const xs2a = openXs2a({ ...parts, authority, faults: parts.allFaults.of('bank') })
  const swish = { phone: parts.phone, refunds: parts.refunds, faults: parts.allFaults.of('mobile') }
  const rp = { eid: parts.eid, faults: parts.allFaults.of('eid') }
  const late = (target: Target, answer: Answer | undefined) =>
    answer && answerAfter(parts.delays.secondsOf(target), answer)
  return async (call) =>
    late('eid', answerRp(rp, call)) ??
    late('mobile', await answerSwish(swish, call)) ??
    late('mail', parts.digitalMailbox(call)) ??
    late('mail', parts.accessPoint.answer(call)) ??
    answerAfter(parts.delays.secondsOf('bank'), await xs2a(call))
}

async function answerBrowser(parts: Parts, call: Call, isLocal: boolean): Promise<Answer> {
  if (!isFromHere(call, isLocal))
    return answerSentence(403, 'The sandbox answers its own page and local programs only.')
  return (
    (await answerControl(parts, call)) ??
    (await answerSignPage(parts, call)) ??
    answerReceiver(parts.receiver, call) ??
    answerSlowIssuer(parts, call) ??
    answerSlowSms(parts, call) ??
    (await answerPage(parts, call)) ??
    answerSentence(404, `There is nothing at ${call.path}.`)
  )
}

function answerSlowIssuer(parts: Parts, call: Call): Answer | undefined {
  const answer = parts.issuer(call)
  return answer && answerAfter(parts.delays.secondsOf('issuer'), answer)
}

function answerSlowSms(parts: Parts, call: Call): Answer | undefined {
  const answer = answerSms({ ...parts, faults: parts.allFaults.of('mail') }, call)
  return answer && answerAfter(parts.delays.secondsOf('mail'), answer)
}

/**
 * Another website in the same browser must not press the buttons: browsers name the page they call from,
 * and a sandbox that listens on loopback is not called by any other name than loopback's.
 */
function isFromHere(call: Call, isLocal: boolean): boolean {
  const { origin, host = '' } = call.headers
  if (isLocal && !(URL.canParse(`http://${host}`) && isLoopbackName(new URL(`http://${host}`).hostname))) {
    return false
  }
  if (!call.path.startsWith('/control/') || origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

function keepTicking(parts: Parts, clock: Clock): () => void {
  let callOff = () => {}
  let stopped = false
  const tick = async () => {
    try {
      await parts.bank.passTime()
      parts.phone.passTime()
      parts.refunds.passTime()
      await parts.takePost()
      if (!stopped) for (const one of Object.values(parts.told)) one.deliverDue()
    } finally {
      if (!stopped) callOff = clock.after(TICK_MS, () => void tick())
    }
  }
  void tick()
  return () => {
    stopped = true
    callOff()
  }
}

async function inFolder<T>(folder: string, act: () => T | Promise<T>): Promise<T> {
  try {
    makeFolder(folder)
    return await act()
  } catch (error) {
    if (error instanceof StartRefusal || !isSystemError(error)) throw error
    throw new StartRefusal(
      `The data folder ${folder} cannot be used (${error.code}); set DATA_DIR to another.`,
    )
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${error.code})`
      reject(new StartRefusal(`Port ${port} on ${host} ${reason}; set SANDBOX_PORT to another.`))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function close(server: HttpServer | HttpsServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

/** One folder at a time: Node never comes back when asked for all at once where nothing can be made (/proc). */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  mkdirSync(folder, { recursive: false })
}
