/**
 * Electronic invoices (Peppol BIS Billing 3) by an access point: the interface of phoss AP, which looks the recipient up
 * in the network, hands the invoice over, and knows afterwards what became of it.
 */
import type { AccessPointConfig } from '../../config/config-operators.ts'
import { NO_CREDENTIALS, type Credentials } from '../credentials/credentials.ts'
import type { Clock } from '../platform/clock.ts'
import { openCircuitBreaker } from '../platform/counterparties/circuit-breaker.ts'
import { openMutualTls, type TlsAnswer } from '../platform/counterparties/mutual-tls.ts'
import { NotSent } from './smtp.ts'

export type ElectronicInvoice = {
  /** Ours: the name of the envelope, by which the access point knows it again. */
  readonly id: string
  /** The alias of the provider in whose name it comes. */
  readonly provider: string
  /** The recipient's address, such as `0007:5599990040`. */
  readonly to: string
  /** Its UBL, written when it is needed. */
  readonly write: () => Promise<Uint8Array>
}

export type SendToAccessPoint = (invoice: ElectronicInvoice) => Promise<void>

const DOCUMENT =
  'busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1'
const PROCESS = 'cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'
/** Where a sender is at home, by the register of its address. */
const COUNTRIES: Readonly<Record<string, string>> = {
  '0007': 'SE',
  '0192': 'NO',
  '0184': 'DK',
  '0037': 'FI',
  '0212': 'FI',
  '0213': 'FI',
  '0216': 'FI',
}
/** The access point hands over before it answers. */
const TIMEOUT_MS = 10_000

class Silence extends NotSent {
  override name = 'Silence'
  constructor(code: string) {
    super(code, false)
  }
}

/** The address in Peppol in whose name the provider of this alias sends. */
export function senderOf(config: AccessPointConfig, credentials: Credentials, alias: string): string {
  if (credentials.isUnreadable('ELECTRONIC_INVOICE', alias)) throw new NotSent('address not readable', false)
  return (
    credentials.of('ELECTRONIC_INVOICE', alias)?.credential.address ??
    config.senders.get(alias.toLowerCase()) ??
    config.sender
  )
}

/**
 * Throws NotSent: for good when the recipient takes no invoices there, or the network refused it. What the access point
 * has under this name is never submitted again.
 */
export function openAccessPoint(
  config: AccessPointConfig,
  { now }: Pick<Clock, 'now'>,
  credentials: Credentials = NO_CREDENTIALS,
): SendToAccessPoint {
  const call = openMutualTls(config, { timeoutMs: TIMEOUT_MS, unavailable: () => new Silence('no answer') })
  const guarded = openCircuitBreaker({
    name: 'ELECTRONIC_INVOICE',
    now,
    isSilence: (error) => error instanceof Silence,
    notAsked: () => new NotSent('not asked', false),
  })
  const outbound = `${config.baseUrl}/api/outbound`
  const headers = { Accept: 'application/json', 'X-Token': config.token }
  const participant = (address: string): string => `iso6523-actorid-upis::${address}`

  /** True when it was handed over; false when the access point has nothing of that name. */
  async function isSent(id: string): Promise<boolean> {
    const answer = await call({
      method: 'GET',
      url: `${outbound}/status/${encodeURIComponent(id)}`,
      headers,
    })
    if (answer.status === 404) return false
    throwUnlessOk(answer)
    return isHandedOver(statusOf(answer))
  }

  async function submit({ id, provider, to, write }: ElectronicInvoice): Promise<TlsAnswer> {
    const sender = senderOf(config, credentials, provider)
    const home = COUNTRIES[sender.slice(0, 4)] ?? 'SE'
    const parts = [participant(sender), participant(to), DOCUMENT, PROCESS, home]
    const path = parts.map(encodeURIComponent).join('/')
    return call({
      method: 'POST',
      url: `${outbound}/submit/${path}?sbdhInstanceID=${encodeURIComponent(id)}`,
      headers: { ...headers, 'Content-Type': 'application/xml' },
      body: Buffer.from(await write()).toString('utf8'),
    })
  }

  return (invoice) =>
    guarded(async () => {
      if (await isSent(invoice.id)) return
      const answer = await submit(invoice)
      if (answer.status === 200) return
      if (answer.status === 400) throw new NotSent('access point 400', true)
      if (answer.status !== 422) throwUnlessOk(answer)
      // Not handed over: whether it is still tried there is what its status says.
      if (await isSent(invoice.id)) return
      throw new NotSent('refused', true)
    })
}

function throwUnlessOk({ status }: TlsAnswer): void {
  if (status === 200) return
  if (status >= 500) throw new Silence(`access point ${status}`)
  throw new NotSent(`access point ${status}`, false)
}

/** The access point's own words. It goes on by itself with what it has not handed over yet. */
function isHandedOver(status: string): boolean {
  switch (status) {
    case 'sent':
      return true
    case 'permanently_failed':
      throw new NotSent('not connected', true)
    case 'rejected':
      throw new NotSent('refused', true)
    default:
      throw new NotSent('under way', false)
  }
}

function statusOf(answer: TlsAnswer): string {
  try {
    const { status } = JSON.parse(answer.body) as { status?: unknown }
    if (typeof status === 'string') return status
  } catch {
    // Said below.
  }
  throw new Silence('no status')
}
