import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { answerJson, isRecord, readJsonObject } from '../serve.ts'
import type { Answer, Call } from '../serve.ts'
import type { Attachment, Mailbox } from './mailbox.ts'
import type { Recipients } from './recipients.ts'

const HANG_MS = 30_000
const TOKEN_LIFE_S = 28_800
/** Kivra's own limit of a content. */
const MOST_CHARACTERS = 1024 * 1024

export interface DigitalMailboxParts {
  mailbox: Mailbox
  recipients: Recipients
  faults: Pick<Faults, 'consume'>
  clock: Clock
}

interface Part extends Attachment {
  content: Buffer
}

/** Kivra's interface for senders, version 2: log in, ask who has a mailbox, send. Undefined for other paths. */
export function openDigitalMailbox(parts: DigitalMailboxParts): (call: Call) => Answer | undefined {
  const { recipients, faults } = parts
  const tokens = new Set<string>()

  function logIn(call: Call): Answer {
    const isAsked = new URLSearchParams(call.body).get('grant_type') === 'client_credentials'
    if (!isAsked || !/^Basic \S+$/.test(call.headers.authorization ?? '')) return refusal(401, '40100')
    const token = randomBytes(16).toString('hex')
    tokens.add(token)
    return answerJson(200, { access_token: token, expires_in: TOKEN_LIFE_S, token_type: 'bearer' })
  }

  function match(call: Call): Answer {
    const { list } = readJsonObject(call.body) ?? {}
    if (!Array.isArray(list)) return refusal(400, '40000')
    const found = list.filter(
      (one) => typeof one === 'string' && recipients.isConnected('digital_mailbox', one),
    )
    return answerJson(200, { list: found })
  }

  return (call) => {
    if (call.path === '/v1/auth') return call.method === 'POST' ? logIn(call) : { status: 405 }
    const [, tenant, path] =
      /^\/v2\/tenant\/([0-9A-Za-z]+)\/(usermatch\/ssn|companymatch\/vatnr|content)$/.exec(call.path) ?? []
    if (tenant === undefined) return undefined
    if (call.method !== 'POST') return { status: 405 }
    const token = /^Bearer (\S+)$/.exec(call.headers.authorization ?? '')?.[1]
    if (token === undefined || !tokens.has(token)) return refusal(401, '40015')
    if (faults.consume('timeout')) return { status: 0, hangMs: HANG_MS }
    if (faults.consume('error500')) return { status: 500 }
    return path === 'content' ? take(parts, tenant, call) : match(call)
  }
}

/** A letter. The same bytes are delivered once, and answered as if they were new: so Kivra does it. */
function take(
  { mailbox, recipients, faults, clock }: DigitalMailboxParts,
  tenant: string,
  call: Call,
): Answer {
  if (call.body.length > MOST_CHARACTERS) return refusal(413, '41300')
  const { generated_at: _, ...body } = readJsonObject(call.body) ?? {}
  const address = textOf(body['ssn']) ?? textOf(body['vat_number'])
  const subject = textOf(body['subject'])
  const files = filesOf(body['parts'])
  if (address === undefined) return refusal(400, '40024')
  if (subject === undefined || textOf(body['type']) === undefined || files === undefined)
    return refusal(400, '40000')
  if (!recipients.isConnected('digital_mailbox', address)) return refusal(400, '40032')
  const messageId = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  if (!mailbox.messages().some((message) => message.messageId === messageId)) {
    mailbox.add(
      {
        id: randomUUID(),
        channel: 'digital_mailbox',
        to: address,
        from: tenant,
        subject,
        text: subject,
        html: null,
        attachments: files.map(({ content: _content, ...file }) => file),
        messageId,
        atMs: clock.now(),
      },
      files.map(({ content }) => content),
    )
  }
  if (faults.consume('error-after-success')) return { status: 500 }
  return answerJson(201, { subject, type: body['type'] }, { 'kivra-objkey': messageId.slice(0, 40) })
}

function filesOf(parts: unknown): Part[] | undefined {
  if (!Array.isArray(parts) || parts.length === 0) return undefined
  const files = parts.filter(isRecord).map((part) => {
    const content = Buffer.from(textOf(part['data']) ?? '', 'base64')
    return {
      name: textOf(part['name']) ?? '',
      type: textOf(part['content_type']) ?? '',
      bytes: content.byteLength,
      content,
    }
  })
  const isWhole = files.every(
    ({ name, type, bytes }) => name !== '' && type === 'application/pdf' && bytes > 0,
  )
  return isWhole && files.length === parts.length ? files : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function refusal(status: number, code: string): Answer {
  return answerJson(status, {
    code,
    short_message: 'Refused',
    long_message: 'The sandbox refused this call.',
  })
}
