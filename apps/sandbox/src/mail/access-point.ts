import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import type { Journal } from '../journal.ts'
import { answerJson } from '../serve.ts'
import type { Answer, Call } from '../serve.ts'
import type { Mailbox } from './mailbox.ts'
import type { Recipients } from './recipients.ts'

const HANG_MS = 30_000
const BASE = '/api/outbound/'
const SCHEME = 'iso6523-actorid-upis::'

/** An invoice that was submitted, by the name of its envelope. */
export interface Submission {
  sbdhInstanceID: string
  receiverID: string
  status: 'sent' | 'permanently_failed' | 'rejected'
}

export interface AccessPoint {
  /** Undefined for paths that are not its own. */
  answer(call: Call): Answer | undefined
  replay(submission: Submission): void
}

export interface AccessPointParts {
  mailbox: Mailbox
  recipients: Recipients
  faults: Pick<Faults, 'consume'>
  journal: Pick<Journal, 'append'>
  clock: Clock
}

/**
 * An access point of the Peppol network with phoss AP's interface for senders: submit, and ask what became of it. It
 * does not notice when the same name is submitted twice: whoever sends has to ask first.
 */
export function openAccessPoint(parts: AccessPointParts): AccessPoint {
  const { faults, journal, recipients } = parts
  const submissions = new Map<string, Submission>()

  function submit(call: Call, path: string): Answer {
    const [sender, receiver, documentType, processName, country] = path.split('/').map(decodeURIComponent)
    const isWhole = [sender, receiver].every((one) => one?.startsWith(SCHEME) && /:\d{4}:\S+$/.test(one))
    if (!isWhole || !documentType || !processName || !/^[A-Z]{2}$/.test(country ?? '')) {
      return answerJson(400, 'Failed to parse the identifiers')
    }
    const id = call.query.get('sbdhInstanceID') || randomUUID()
    const address = (receiver ?? '').slice(SCHEME.length)
    const isInvoice = /<(\w+:)?Invoice[\s>]/.test(call.body) && /<cbc:ID>[^<]+<\/cbc:ID>/.test(call.body)
    const status = !isInvoice
      ? 'rejected'
      : recipients.isConnected('electronic_invoice', address)
        ? 'sent'
        : 'permanently_failed'
    const submission: Submission = { sbdhInstanceID: id, receiverID: receiver ?? '', status }
    journal.append({ type: 'submission', submission })
    submissions.set(id, submission)
    if (status === 'sent')
      deliver(parts, { id, from: (sender ?? '').slice(SCHEME.length), address, xml: call.body })
    if (faults.consume('error-after-success')) return { status: 500 }
    return answerJson(status === 'sent' ? 200 : 422, {
      sbdhInstanceID: id,
      overallSuccess: status === 'sent',
      ...(status === 'permanently_failed' ? { lookupError: 'The receiver is not registered' } : {}),
    })
  }

  return {
    answer(call) {
      if (!call.path.startsWith(BASE)) return undefined
      if (!call.headers['x-token']) return { status: 401 }
      if (faults.consume('timeout')) return { status: 0, hangMs: HANG_MS }
      if (faults.consume('error500')) return { status: 500 }
      const [, act, path = ''] = /^(submit|status)\/(.+)$/.exec(call.path.slice(BASE.length)) ?? []
      if (act === 'submit' && call.method === 'POST') return submit(call, path)
      const found = act === 'status' && submissions.get(decodeURIComponent(path))
      if (call.method !== 'GET' || !found) return { status: 404 }
      return answerJson(200, found)
    },
    replay: (submission) => void submissions.set(submission.sbdhInstanceID, submission),
  }
}

function deliver(
  { mailbox, clock }: AccessPointParts,
  { id, from, address, xml }: { id: string; from: string; address: string; xml: string },
): void {
  const content = Buffer.from(xml)
  const number = /<cbc:ID>([^<]+)<\/cbc:ID>/.exec(xml)?.[1] ?? ''
  const payable = /<cbc:PayableAmount currencyID="([A-Z]{3})">([^<]+)</.exec(xml)
  const amount = payable ? `${payable[2]} ${payable[1]}` : ''
  const name = `${number.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.xml`
  mailbox.add(
    {
      id: randomUUID(),
      channel: 'electronic_invoice',
      to: address,
      from,
      subject: `Invoice ${number}`,
      text: [`Invoice ${number}`, amount].filter(Boolean).join('\n'),
      html: null,
      attachments: [{ name, type: 'application/xml', bytes: content.byteLength }],
      messageId: id,
      atMs: clock.now(),
    },
    [content],
  )
}
