/**
 * A client of the BankID Relying Party API v6.0. All calls are POST over mutual TLS with the provider's own authority
 * pinned; none is repeated by itself, because the provider forbids it for most failures.
 */
import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { BankIdConfig, RelyingParty } from '../../config/config-bankid.ts'
import { openWatch } from '../platform/counterparties/circuit-breaker.ts'
import { openCallers, type Credentials } from '../credentials/credentials.ts'
import {
  openMutualTls,
  type TlsAnswer,
  type TlsCall,
  type TlsTexts,
} from '../platform/counterparties/mutual-tls.ts'
import { tryOut } from '../platform/counterparties/tried.ts'
import {
  IdentityRefused,
  IdentityUnavailable,
  type CollectedOrder,
  type IdentityProvider,
  type OrderStart,
  type StartedOrder,
} from './identity-provider.ts'

const TIMEOUT_MS = 5_000
/** Statuses that say: not now (time-out, too many, failure, maintenance). */
const NOT_NOW = new Set([408, 429, 500, 502, 503, 504])

export function openBankId(
  { baseUrl, caFile, shared, own }: BankIdConfig,
  credentials: Credentials,
  now: () => number,
): IdentityProvider {
  const watched = openWatch({
    name: 'BANKID',
    now,
    isSilence: (error) => error instanceof IdentityUnavailable,
  })
  const callAs = (party: RelyingParty | Omit<TlsTexts, 'caFile'>): ((call: TlsCall) => Promise<TlsAnswer>) =>
    openMutualTls(
      { caFile, ...party },
      { timeoutMs: TIMEOUT_MS, unavailable: (reason) => new IdentityUnavailable(reason) },
    )
  const callShared = callAs(shared)
  const callOwn = new Map([...own].map(([alias, party]) => [alias, callAs(party)]))
  const callerOf = openCallers(callAs)
  const callOf = (tenant: string): ((call: TlsCall) => Promise<TlsAnswer>) => {
    if (credentials.isUnreadable('BANKID', tenant))
      throw new IdentityUnavailable('the certificate of the provider cannot be read')
    const kept = credentials.of('BANKID', tenant)
    return kept ? callerOf(kept) : (callOwn.get(tenant.toLowerCase()) ?? callShared)
  }
  function callWith(path: string, body: object): TlsCall {
    const text = JSON.stringify(body)
    // Exactly this type: with a charset beside it the provider answers 415.
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
    return { method: 'POST', url: `${baseUrl}${path}`, headers, body: text }
  }
  async function post(tenant: string, path: string, body: object): Promise<Record<string, unknown>> {
    // A provider's own certificate that cannot be read is no silence of the other side's.
    const call = callOf(tenant)
    return watched(async () => read(await call(callWith(path, body))))
  }
  return {
    code: 'BANKID',
    seen: watched.seen,
    async startOrder(start) {
      return readStarted(await post(start.tenant, '/auth', describeStart(start)))
    },
    async collectOrder({ tenant, orderRef }) {
      return readCollected(await post(tenant, '/collect', { orderRef }))
    },
    async cancelOrder({ tenant, orderRef }) {
      await post(tenant, '/cancel', { orderRef })
    },
    async tryOut(tenant) {
      // What has just been entered is what is tried.
      await credentials.refresh()
      if (credentials.isUnreadable('BANKID', tenant))
        return { outcome: 'REFUSED', detail: 'the certificate cannot be read' }
      // One provider's certificate that is not taken says nothing of the other side to the other providers: nobody counts it.
      return tryOut(
        () => callOf(tenant)(callWith('/collect', { orderRef: randomUUID() })),
        ({ body }) => parse(body)?.errorCode === 'invalidParameters',
      )
    },
  }
}

/** The order's page is opened by the debtor's own launch link, so there is no `returnUrl` to take its place. */
function describeStart({ address, intent, host, userAgent, device }: OrderStart): object {
  return {
    endUserIp: address,
    returnRisk: true,
    requirement: { risk: 'moderate' },
    userVisibleData: Buffer.from(intent, 'utf8').toString('base64'),
    userVisibleDataFormat: 'plaintext',
    web: {
      referringDomain: host,
      userAgent: (userAgent || 'unknown').slice(0, 256),
      deviceIdentifier: device,
    },
  }
}

function read(answer: TlsAnswer): Record<string, unknown> {
  const body = parse(answer.body)
  if (answer.status === 200 && body) return body
  const code = typeof body?.errorCode === 'string' ? body.errorCode.slice(0, 60) : String(answer.status)
  if (NOT_NOW.has(answer.status) || answer.status === 200) {
    throw new IdentityUnavailable(`the identity provider answered ${answer.status} ${code}`)
  }
  throw new IdentityRefused(code)
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** A word of the provider's that goes on to browsers: short, and nothing but signs that words are made of. */
function word(value: unknown): string {
  if (typeof value === 'string' && /^[A-Za-z0-9._-]{1,100}$/.test(value)) return value
  throw new IdentityUnavailable('the identity provider left something out of its answer')
}

function readStarted(body: Record<string, unknown>): StartedOrder {
  return {
    orderRef: word(body.orderRef),
    autoStartToken: word(body.autoStartToken),
    qrStartToken: word(body.qrStartToken),
    qrStartSecret: word(body.qrStartSecret),
  }
}

function readCollected(body: Record<string, unknown>): CollectedOrder {
  const { status, hintCode, completionData } = body as {
    status?: unknown
    hintCode?: unknown
    completionData?: { user?: { personalNumber?: unknown }; device?: { ipAddress?: unknown } }
  }
  if (status === 'complete') {
    const address = completionData?.device?.ipAddress
    return {
      status,
      personalNumber: word(completionData?.user?.personalNumber),
      appAddress: typeof address === 'string' && isIP(address) !== 0 ? address : undefined,
    }
  }
  if (status !== 'pending' && status !== 'failed') throw new IdentityUnavailable('an order without a status')
  return { status, hintCode: hintCode === undefined ? null : word(hintCode) }
}
