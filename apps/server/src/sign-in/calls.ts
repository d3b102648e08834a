/** The calls of sessions and challenges beside the use cases that answer them. */
import * as challenge from '@kvitt/domain/sign-in/challenge.contract.ts'
import { openPeek } from '@kvitt/domain/sign-in/peek.contract.ts'
import * as session from '@kvitt/domain/sign-in/session.contract.ts'
import { WithCookies, type Binding } from '../platform/http/call.ts'
import { bind } from './bind.ts'
import { openTicket } from './peeks.ts'
import { endSession, presentSession } from './sessions.ts'
import { challengeFor } from './sign-in.ts'

export const SIGN_IN_BINDINGS: readonly Binding[] = [
  bind(challenge.askChallenge, ({ context, principal, body, request }) =>
    challengeFor(context, principal.instance, { reference: body.paymentReference, address: request.ip }),
  ),
  bind(openPeek, async ({ context, principal, body, request }) => {
    const { opened, setCookie } = await openTicket(context, {
      instanceId: principal.instance.id,
      ticket: body.ticket,
      isHttps: request.isHttps,
    })
    return new WithCookies(opened, [setCookie])
  }),
  bind(session.getSession, ({ context, principal }) => presentSession(context, principal)),
  bind(session.logOut, async ({ context, principal, request }) => {
    return new WithCookies(undefined, [await endSession(context, principal, request.isHttps)])
  }),
]
