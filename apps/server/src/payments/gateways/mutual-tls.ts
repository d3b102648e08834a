/** Calls to gateways over mutual TLS: a silence of ten seconds is a GatewayUnavailable. */
import {
  openMutualTls as openTls,
  type TlsAnswer as Answer,
  type TlsCall as Call,
  type TlsFiles,
  type TlsTexts,
} from '../../platform/counterparties/mutual-tls.ts'
import { GatewayUnavailable } from './gateway.ts'

export type TlsAnswer = Answer
export type TlsCall = Call

const TIMEOUT_MS = 10_000

export function openMutualTls(shown: TlsFiles | TlsTexts): (call: TlsCall) => Promise<TlsAnswer> {
  const unavailable = (reason: string): Error => new GatewayUnavailable(reason)
  return openTls(shown, { timeoutMs: TIMEOUT_MS, unavailable })
}
