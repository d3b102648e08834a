/** The calls about messages on their way, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/messages/outbox.contract.ts'
import type { MessageAct, MessageChannel } from '@kvitt/domain/messages/outbox.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { readPrintQueue } from '../mail/mail.ts'
import type { Binding } from '../platform/http/call.ts'
import { Replayed } from '../platform/http/replayed.ts'
import { languageFrom, type Language } from '../platform/texts.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import { askedBy, type OperatorMember } from '../staff/staff.ts'
import { actOnMessage, findMessage, headed, searchOutbox, type Acting } from './outbox.ts'

type Asking = {
  readonly principal: OperatorMember
  readonly request: { readonly headers: Parameters<typeof askedBy>[0]['headers'] }
}

const languageOf = ({ request, principal }: Asking): Language =>
  languageFrom(request.headers['accept-language'], principal.instance.language)

type ActCall = Pick<Acting, 'context' | 'principal' | 'row'> & Asking

async function done(
  call: ActCall,
  act: MessageAct,
  body: { reason?: string; channel?: MessageChannel } = {},
) {
  const { reason, channel } = body
  if (reason !== undefined && !saysSomething(reason)) throw new Refusal('invalid_request', {}, ['reason'])
  const { context, principal, row, request } = call
  const asked = askedBy(request, act, row.id, body)
  const wish = { act, ...(reason ? { reason: reason.trim() } : {}), ...(channel ? { channel } : {}) }
  const { message, isReplayed } = await actOnMessage(
    { context, principal, row, asked, language: languageOf(call) },
    wish,
  )
  return isReplayed ? new Replayed(message) : message
}

export const OUTBOX_BINDINGS: readonly Binding[] = [
  bind(contract.searchOutbox, (call) => {
    const { context, principal, query, body } = call
    return searchOutbox(context, principal, { query, body, language: languageOf(call) })
  }),
  bindSharedRow(contract.getOutboxMessage, findMessage, async (call) =>
    headed(call.row, { principal: call.principal, language: languageOf(call) }),
  ),
  bindSharedRow(contract.resendMessage, findMessage, (call) => done(call, 'resend', call.body)),
  bindSharedRow(contract.dropMessage, findMessage, (call) => done(call, 'drop', call.body)),
  bindSharedRow(contract.mendMessage, findMessage, (call) => done(call, 'mended', call.body)),
  bindSharedRow(contract.sendMessageNow, findMessage, (call) => done(call, 'send-now')),
  bindSharedRow(contract.sendOtherWay, findMessage, (call) => done(call, 'other-way', call.body)),
  bind(contract.getPrintQueue, ({ context }) => readPrintQueue(context.config.stores.letters)),
]
