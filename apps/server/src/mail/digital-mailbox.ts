/**
 * Letters to digital mailboxes: Kivra's interface for senders, version 2. Swedish persons and companies are found by
 * their number, everybody else is not there.
 */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { companyVatNumber, wholePersonalNumber } from '@kvitt/domain/people/mailbox-number.ts'
import type { MailboxConfig } from '../../config/config-operators.ts'
import { NO_CREDENTIALS, type Credentials } from '../credentials/credentials.ts'
import { openCircuitBreaker } from '../platform/counterparties/circuit-breaker.ts'
import { openMutualTls, type TlsAnswer, type TlsCall } from '../platform/counterparties/mutual-tls.ts'
import type { Clock } from '../platform/clock.ts'
import { NotSent } from './smtp.ts'

export type MailboxLetter = {
  /** The alias of the provider in whose name it comes. */
  readonly provider: string
  /** Ours, and part of what is sent: the same bytes twice are delivered once. */
  readonly id: string
  readonly country: string
  readonly kind: 'PERSON' | 'COMPANY'
  /** The debtor's identification number as it is kept. */
  readonly number: string
  /** Stands in the notice of the letter: names nobody and no amount. */
  readonly subject: string
  readonly pdf: Uint8Array
}

export type SendToMailbox = (letter: MailboxLetter) => Promise<void>

type Recipient = { readonly field: 'ssn' | 'vat_number'; readonly match: string; readonly number: string }

const TIMEOUT_MS = 10_000
/** A token is asked for anew this long before it ends. */
const SPARE_MS = 60_000
/** Days are Swedish there, whoever owes. */
const ZONE = 'Europe/Stockholm'

/** No usable answer: what happened there is not known. */
class Silence extends NotSent {
  override name = 'Silence'
  constructor(code: string) {
    super(code, false)
  }
}

/** Throws NotSent: for good when the recipient has no mailbox for us, or the letter is refused. */
export function openDigitalMailbox(
  config: MailboxConfig,
  clock: Pick<Clock, 'now' | 'today'>,
  credentials: Credentials = NO_CREDENTIALS,
): SendToMailbox {
  const call = openMutualTls(config, { timeoutMs: TIMEOUT_MS, unavailable: () => new Silence('no answer') })
  const guarded = openCircuitBreaker({
    name: 'DIGITAL_MAILBOX',
    now: clock.now,
    isSilence: (error) => error instanceof Silence,
    notAsked: () => new NotSent('not asked', false),
  })
  const token = openToken(config, call, clock.now)

  async function post(provider: string, path: string, body: object): Promise<TlsAnswer> {
    if (credentials.isUnreadable('DIGITAL_MAILBOX', provider))
      throw new NotSent('tenant key not readable', false)
    const tenant =
      credentials.of('DIGITAL_MAILBOX', provider)?.credential.tenant ??
      config.tenants.get(provider.toLowerCase()) ??
      config.tenant
    const answer = await call({
      method: 'POST',
      url: `${config.baseUrl}/v2/tenant/${tenant}${path}`,
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${await token.read()}`,
      },
      body: JSON.stringify(body),
    })
    if (answer.status === 401) token.forget()
    return answer
  }

  return (letter) =>
    guarded(async () => {
      const recipient = recipientOf(letter, clock.today(ZONE))
      if (!recipient) throw new NotSent('not connected', true)
      const matched = await post(letter.provider, recipient.match, { list: [recipient.number] })
      if (!listOf(matched).includes(recipient.number)) throw new NotSent('not connected', true)
      const data = Buffer.from(letter.pdf).toString('base64')
      const answer = await post(letter.provider, '/content', {
        [recipient.field]: recipient.number,
        subject: letter.subject,
        type: 'letter',
        parts: [{ name: `${letter.id}.pdf`, content_type: 'application/pdf', data }],
      })
      throwUnless(201, answer)
    })
}

/** Under which number the mailbox is found, and where that is asked for. */
function recipientOf({ country, kind, number }: MailboxLetter, today: CalendarDate): Recipient | undefined {
  if (country !== 'SE') return undefined
  const found = kind === 'PERSON' ? wholePersonalNumber(number, today) : companyVatNumber(number)
  if (found === undefined) return undefined
  return kind === 'PERSON'
    ? { field: 'ssn', match: '/usermatch/ssn', number: found }
    : { field: 'vat_number', match: '/companymatch/vatnr', number: found }
}

function listOf(answer: TlsAnswer): unknown[] {
  throwUnless(200, answer)
  const { list } = parse(answer)
  if (!Array.isArray(list)) throw new Silence('no list')
  return list
}

/** What is wrong with the letter or its recipient stays so; the rest is our rights, or their own trouble. */
function throwUnless(wanted: number, { status }: TlsAnswer): void {
  if (status === wanted) return
  if ([400, 404, 413, 422].includes(status)) throw new NotSent(`mailbox ${status}`, true)
  throw status >= 500 ? new Silence(`mailbox ${status}`) : new NotSent(`mailbox ${status}`, false)
}

/** The token of our client, asked for when there is none that holds. */
function openToken(
  config: MailboxConfig,
  call: (call: TlsCall) => Promise<TlsAnswer>,
  now: () => number,
): { read(): Promise<string>; forget(): void } {
  let held: { token: string; untilMs: number } | undefined
  return {
    async read() {
      if (held && held.untilMs - SPARE_MS > now()) return held.token
      const credentials = Buffer.from(`${config.client}:${config.secret}`).toString('base64')
      const answer = await call({
        method: 'POST',
        url: `${config.baseUrl}/v1/auth`,
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/x-www-form-urlencoded',
          Authorization: `Basic ${credentials}`,
        },
        body: 'grant_type=client_credentials',
      })
      if (answer.status >= 500) throw new Silence(`mailbox login ${answer.status}`)
      // A wrong secret is ours to mend: the letter waits, or goes another way.
      if (answer.status !== 200) throw new NotSent(`mailbox login ${answer.status}`, false)
      const { access_token: token, expires_in: seconds } = parse(answer)
      if (typeof token !== 'string' || typeof seconds !== 'number') throw new Silence('no token')
      held = { token, untilMs: now() + seconds * 1000 }
      return token
    },
    forget() {
      held = undefined
    },
  }
}

function parse(answer: TlsAnswer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(answer.body)
    if (value !== null && typeof value === 'object') return value as Readonly<Record<string, unknown>>
  } catch {
    // Said below.
  }
  throw new Silence('no JSON')
}
