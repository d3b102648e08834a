/** The calls of orders at an electronic ID beside the use cases that answer them. */
import * as eid from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import { hostName } from '../instances/instances.ts'
import { WithCookies, type Binding, type Call } from '../platform/http/call.ts'
import { languageFrom } from '../platform/texts.ts'
import { bind } from '../sign-in/bind.ts'
import type { Principal } from '../sign-in/principal.ts'
import { cancelOrder, collectOrder, startOrder, type Browser, type Told } from './electronic-id.ts'

type AnyCall = Pick<Call<Pick<Principal, 'instance'>, unknown, unknown>, 'principal' | 'request'>

function browserOf(call: AnyCall): Browser {
  const { principal, request } = call
  const { instance } = principal
  return {
    instance,
    language: languageFrom(request.headers['accept-language'], instance.language),
    address: request.ip,
    host: hostName(request.headers.host) ?? instance.host,
    userAgent: request.headers['user-agent'],
    cookie: request.headers.cookie,
    isHttps: request.isHttps,
  }
}

function withCookies<T>({ answer, cookies }: Told<T>): WithCookies<T> {
  return new WithCookies(answer, cookies)
}

export const ELECTRONIC_ID_BINDINGS: readonly Binding[] = [
  bind(eid.startOrder, async (call) => withCookies(await startOrder(call.context, browserOf(call)))),
  bind(eid.collectOrder, async (call) =>
    withCookies(await collectOrder(call.context, browserOf(call), call.body)),
  ),
  bind(eid.cancelOrder, async (call) =>
    withCookies(await cancelOrder(call.context, browserOf(call), call.body.orderRef)),
  ),
]
