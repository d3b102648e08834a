/**
 * Logging in with the electronic ID. An order is started at the provider, asked about until somebody has shown who
 * they are, and then exchanged, once, for a session of the debtors that are kept under that person's number.
 */
import { createHmac } from 'node:crypto'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { CollectAnswer, StartAnswer } from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import { animatedQr } from '@kvitt/domain/electronic-id/animated-qr.ts'
import { isCodeShown, messageCodeOf, type LoginWay } from '@kvitt/domain/electronic-id/order.ts'
import { noteWithin, type AuditKind } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { eidStartLimitOf, identityProviderFor, type Instance } from '../instances/instances.ts'
import { newId } from '../platform/identity.ts'
import { textOf, type Language } from '../platform/texts.ts'
import { beginSession, findDebtors, isSomebodyIn } from '../sign-in/sessions.ts'
import { areApart, starterOf } from '../sign-in/sign-in.ts'
import { hashOfSecret, newBrowserSecret, readBrowserHash, writeBrowserCookie } from './browser-cookie.ts'
import {
  IdentityRefused,
  IdentityUnavailable,
  type CollectedOrder,
  type IdentityProvider,
  type OrderName,
} from './identity-provider.ts'
import {
  claimAskRow,
  findOrderRow,
  forgetOrderRows,
  insertOrderRow,
  moveOrderRow,
  nameOrderRow,
  readBlockingStart,
  recordPendingRow,
  recordSilenceRow,
  type OrderRow,
} from './orders.queries.ts'

export { openBankId } from './bankid.ts'

/** The browser that asks, and the tenant whose page it shows. */
export type Browser = {
  readonly instance: Instance
  readonly language: Language
  readonly address: string
  readonly host: string
  readonly userAgent: string | undefined
  readonly cookie: string | undefined
  /** Does it reach us over https? */
  readonly isHttps: boolean
}

/** An answer and the Set-Cookie headers that go with it. */
export type Told<Answer> = { readonly answer: Answer; readonly cookies: readonly string[] }

const START_WINDOW_MS = 10 * 60_000
/** The provider is asked at most once a second, however often the page asks us. */
const ASKED_EVERY_MS = 1_000
/** Longer than the client's own time-out: whoever holds the turn has an answer by then, or is dead. */
const TURN_MS = 8_000
/** So many unanswered calls in a row are told; a single one is not worth throwing the debtor out. */
const MOST_SILENCES = 3
const KEPT_MS = 60 * 60_000

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

function hmac(key: string, message: string): string {
  return createHmac('sha256', key).update(message).digest('hex')
}

/** The provider, where the instance offers it. */
function requireOffered(context: Context, instance: Instance): IdentityProvider {
  const provider = identityProviderFor(context, instance)
  if (!provider || !instance.row.logins.includes(provider.code)) throw unavailable()
  return provider
}

function requireProvider({ identityProvider }: Context): IdentityProvider {
  if (!identityProvider) throw unavailable()
  return identityProvider
}

function unavailable(): Refusal {
  return new Refusal('provider_unavailable', { provider: 'eid' })
}

/** Starts an order for this browser. Refused when this address has started too many (threat eid.qr). */
export async function startOrder(context: Context, browser: Browser): Promise<Told<StartAnswer>> {
  const provider = requireOffered(context, browser.instance)
  const order = { instanceId: browser.instance.id, id: newId(context.clock.now()) }
  const secret = newBrowserSecret()
  await reserveStart(context, browser, { ...order, browserHash: hashOfSecret(secret) })
  try {
    const started = await provider.startOrder({
      tenant: browser.instance.row.url_alias,
      // An IPv4 address as itself, and no zone: the provider takes plain addresses.
      address: browser.address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, ''),
      intent: textOf(browser.language, 'electronic_id.intent', { name: browser.instance.row.name }),
      host: browser.host,
      userAgent: browser.userAgent,
      device: hashOfSecret(secret).toString('hex'),
    })
    await nameOrderRow(context.db, { ...order, answeredAt: iso(context.clock.now()) }, started)
    const { orderRef, autoStartToken } = started
    return {
      answer: { orderRef, autoStartToken, qrCode: animatedQr(started, 0, hmac) },
      cookies: [writeBrowserCookie(orderRef, secret, browser.isHttps)],
    }
  } catch (error) {
    await moveOrderRow(context.db, order, { from: 'STARTING', to: 'FAILED', hintCode: null })
    throw readStartError(context, error)
  }
}

/** The intent is written before the provider is called, so that what was started counts whatever becomes of it. */
async function reserveStart(
  context: Context,
  { instance, address }: Browser,
  order: { readonly instanceId: string; readonly id: string; readonly browserHash: Uint8Array },
): Promise<void> {
  const now = context.clock.now()
  const starter = createHmac('sha256', context.starterKey)
    .update(`starter\n${instance.id}\n${starterOf(address)}`)
    .digest()
    .subarray(0, 16)
  const most = eidStartLimitOf(instance.row.guess_limits)
  const retryAfterSeconds = await context.db.transaction(async (tx) => {
    if (most !== null) {
      const since = iso(now - START_WINDOW_MS)
      const blocking = await readBlockingStart(tx, { instanceId: instance.id, starter, since, most })
      // A start that was faster than this one may stand a moment after it; nobody waits longer than the window.
      const leftMs = Math.min(START_WINDOW_MS, Date.parse(blocking ?? '') + START_WINDOW_MS - now)
      if (blocking) return Math.max(1, Math.ceil(leftMs / 1000))
    }
    await insertOrderRow(tx, { ...order, starter, startedAt: iso(now) })
    return undefined
  })
  if (retryAfterSeconds === undefined) return
  const minutes = String(Math.ceil(retryAfterSeconds / 60))
  throw new Refusal('eid_rate_limited', { retryAfterSeconds: String(retryAfterSeconds), minutes })
}

function readStartError({ log }: Context, error: unknown): unknown {
  if (error instanceof IdentityUnavailable) {
    log.warn({ reason: error.message }, 'the identity provider is not there')
    return unavailable()
  }
  if (!(error instanceof IdentityRefused)) return error
  if (error.code === 'alreadyInProgress') return new Refusal('eid_already_in_progress')
  // Whatever else it refuses is a mistake of ours, and nothing that the debtor could mend.
  log.error({ reason: error.message }, 'the identity provider refused a start')
  return unavailable()
}

/** The order of that name, when this very browser started it; otherwise nobody learns that it exists. */
async function requireOrder(context: Context, browser: Browser, orderRef: string): Promise<OrderRow> {
  const browserHash = readBrowserHash(orderRef, browser.cookie, browser.isHttps)
  const order = browserHash
    ? await findOrderRow(context.db, { instanceId: browser.instance.id, orderRef, browserHash })
    : undefined
  if (!order) throw new Refusal('eid_order_unknown')
  return order
}

/** How far the order has come. A failure is told as often as it is asked for, a completion once. */
export async function collectOrder(
  context: Context,
  browser: Browser,
  { orderRef, type, isReturn }: { orderRef: string; type: LoginWay; isReturn?: boolean | undefined },
): Promise<Told<CollectAnswer>> {
  const provider = requireProvider(context)
  const order = await requireOrder(context, browser, orderRef)
  const key = { instanceId: browser.instance.id, id: order.id }
  if (isReturn && (await isSomebodyIn(context, { ...browser, ...key }))) throw new Refusal('eid_session_open')
  if (order.status === 'FAILED') return tell(context, browser, { order, type, status: 'failed' })
  if (order.status !== 'PENDING') throw new Refusal('eid_order_unknown')
  const now = context.clock.now()
  const isMyTurn = await claimAskRow(context.db, key, { at: iso(now), until: iso(now + TURN_MS) })
  const news = isMyTurn
    ? await ask(context, provider, { ...key, tenant: browser.instance.row.url_alias, orderRef })
    : undefined
  if (news?.status === 'complete') return complete(context, browser, { ...key, orderRef }, news)
  const hinted = news ? { ...order, hint_code: news.hintCode } : order
  return tell(context, browser, { order: hinted, type, status: news?.status ?? 'pending' })
}

type Completed = Extract<CollectedOrder, { status: 'complete' }>

type OrderKey = { readonly instanceId: string; readonly id: string; readonly orderRef: string }

/** Asks the provider and writes down what it says; undefined when it said nothing this once. */
async function ask(
  context: Context,
  provider: IdentityProvider,
  key: OrderKey & OrderName,
): Promise<CollectedOrder | undefined> {
  try {
    const news = await provider.collectOrder(key)
    if (news.status === 'failed') return await fail(context, key, news.hintCode)
    if (news.status === 'pending') {
      const nextAskAt = iso(context.clock.now() + ASKED_EVERY_MS)
      await recordPendingRow(context.db, key, { nextAskAt, hintCode: news.hintCode })
    }
    return news
  } catch (error) {
    // The provider does not know the order any more: it is too old, or was ended from the other side.
    if (error instanceof IdentityRefused) return fail(context, key, null)
    if (!(error instanceof IdentityUnavailable)) throw error
    const silences = await recordSilenceRow(context.db, key, iso(context.clock.now() + ASKED_EVERY_MS))
    context.log.warn({ reason: error.message, silences }, 'the identity provider is not there')
    if (silences >= MOST_SILENCES) throw unavailable()
    return undefined
  }
}

async function fail(context: Context, key: OrderKey, hintCode: string | null): Promise<CollectedOrder> {
  await moveOrderRow(context.db, key, { from: 'PENDING', to: 'FAILED', hintCode })
  return { status: 'failed', hintCode }
}

/** Uses the order up and begins the session in one transaction: of many callers one gets it, or none. */
async function complete(
  context: Context,
  browser: Browser,
  key: OrderKey,
  { personalNumber, appAddress }: Completed,
): Promise<Told<CollectAnswer>> {
  const debtors = await findDebtors(context, browser.instance, personalNumber)
  const session = await context.db.transaction(async (tx) => {
    const isMine = await moveOrderRow(tx, key, { from: 'PENDING', to: 'COMPLETE', hintCode: null })
    if (!isMine) throw new Refusal('eid_order_unknown')
    if (debtors.length === 0) return undefined
    const debtorIds = debtors.map((d) => d.id)
    const { instanceId } = key
    const begun = await beginSession(tx, context, { instanceId, debtorIds, isHttps: browser.isHttps })
    const actor = `session:${begun.id}`
    const isElsewhere = appAddress !== undefined && areApart(browser.address, appAddress)
    const kinds: AuditKind[] = ['eid_signed_in', ...(isElsewhere ? (['eid_from_elsewhere'] as const) : [])]
    for (const id of debtorIds) {
      for (const kind of kinds) await noteWithin(tx, { instanceId, kind, actor, about: `debtor:${id}` })
    }
    return begun
  })
  if (!session) throw new Refusal('eid_nothing_here')
  return {
    answer: {
      orderRef: key.orderRef,
      status: 'complete',
      hintCode: null,
      messageCode: null,
      message: null,
      qrCode: null,
      idToken: session.token,
      tokenType: session.tokenType,
      debtorName: debtors[0]?.name ?? null,
    },
    cookies: [session.setCookie, writeBrowserCookie(key.orderRef, '', browser.isHttps)],
  }
}

type Unfinished = {
  readonly order: OrderRow
  readonly type: LoginWay
  readonly status: 'pending' | 'failed'
}

function tell(
  context: Context,
  { language }: Browser,
  { order, type, status }: Unfinished,
): Told<CollectAnswer> {
  const { hint_code: hintCode, qr_start_token: token, qr_start_secret: secret } = order
  const messageCode = messageCodeOf(status, hintCode, type)
  const seconds = Math.max(0, Math.floor((context.clock.now() - Date.parse(order.answered_at)) / 1000))
  const isShown = status === 'pending' && isCodeShown(type, hintCode) && token !== null && secret !== null
  return {
    answer: {
      orderRef: order.order_ref,
      status,
      hintCode,
      messageCode,
      message: textOf(language, `electronic_id.${messageCode}`),
      qrCode: isShown ? animatedQr({ qrStartToken: token, qrStartSecret: secret }, seconds, hmac) : null,
      idToken: null,
      tokenType: null,
      debtorName: null,
    },
    cookies: [],
  }
}

/** Ends the order: first here, so that nothing can come of it any more, then at the provider. */
export async function cancelOrder(
  context: Context,
  browser: Browser,
  orderRef: string,
): Promise<Told<{ orderRef: string }>> {
  const provider = requireProvider(context)
  const order = await requireOrder(context, browser, orderRef)
  const key = { instanceId: browser.instance.id, id: order.id }
  if (await moveOrderRow(context.db, key, { from: 'PENDING', to: 'CANCELLED', hintCode: null })) {
    const name = { tenant: browser.instance.row.url_alias, orderRef }
    await provider.cancelOrder(name).catch((error: unknown) => {
      // There it ends by itself within minutes.
      context.log.warn(
        { reason: (error as Error).message },
        'an order could not be cancelled at the provider',
      )
    })
  }
  return { answer: { orderRef }, cookies: [] }
}

/** Orders are kept for an hour: long enough to be counted and to answer a page that was left open. */
export async function forgetOldOrders({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await forgetOrderRows(db, iso(clock.now() - KEPT_MS))
}
