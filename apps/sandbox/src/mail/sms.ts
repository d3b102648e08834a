import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { answerJson } from '../serve.ts'
import type { Answer, Call } from '../serve.ts'
import type { Mailbox } from './mailbox.ts'

const HANG_MS = 30_000

export interface SmsParts {
  mailbox: Mailbox
  faults: Pick<Faults, 'consume'>
  clock: Clock
}

/**
 * 46elks' `POST /a1/sms`: a form with from, to and message, and any user with any password. Undefined when the path
 * is another.
 */
export function answerSms({ mailbox, faults, clock }: SmsParts, call: Call): Answer | undefined {
  if (call.path !== '/a1/sms') return undefined
  if (call.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
  if (!/^Basic \S+$/.test(call.headers.authorization ?? '')) return { status: 401 }
  if (faults.consume('timeout')) return { status: 0, hangMs: HANG_MS }
  if (faults.consume('error500')) return { status: 500 }
  const form = new URLSearchParams(call.body)
  const [from, to, message] = ['from', 'to', 'message'].map((name) => form.get(name) ?? '')
  if (!from || !to || !message || !/^\+[1-9]\d{6,14}$/.test(to)) return { status: 400 }
  const id = randomUUID()
  mailbox.add({
    id,
    channel: 'sms',
    to,
    from,
    subject: message,
    text: message,
    html: null,
    attachments: [],
    messageId: null,
    atMs: clock.now(),
  })
  if (faults.consume('error-after-success')) return { status: 500 }
  return answerJson(200, {
    id: `s${id.replaceAll('-', '')}`,
    status: 'created',
    direction: 'outgoing',
    from,
    to,
    message,
  })
}
