/** An order of electronic identification, from this browser's side: started, asked about, cancelled. */
import type { CollectAnswer, StartAnswer } from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import type { LoginWay } from '@kvitt/domain/electronic-id/order.ts'
import { ApiRefusal, ApiUnreachable, callTo } from '@kvitt/ui/api.ts'
import { api } from '../calls.ts'
import { isSignedIn } from '../session.ts'

/** What is known of the order. `autoStartToken` is missing when the page goes on with an order after a return. */
export type EidOrder =
  | { readonly phase: 'starting' }
  | {
      readonly phase: 'pending'
      readonly orderRef: string
      readonly autoStartToken: string | undefined
      readonly qrCode: string | null
      readonly hintCode: string | null
      readonly message: string | null
    }
  /** Nobody answers; the order goes on all the same, and is asked about again. */
  | { readonly phase: 'lost' }
  | { readonly phase: 'finishing' }
  /** Somebody is logged in here, and the order came with the address of the page: it waits for a yes (threat csrf.sessionswap). */
  | { readonly phase: 'taken' }
  | { readonly phase: 'failed'; readonly message: string | undefined; readonly isCancelled: boolean }

export type Token = { readonly token: string; readonly type: string }

/** Specification section 9. */
const POLL_MS = 2000
/** Without an answer the questions become rarer, up to this. */
const SLOWEST_POLL_MS = 16_000
/** So many answers may be missing before the code on the screen is too old, and it is said. */
const MOST_MISSING = 1

const startOrder = (signal: AbortSignal): Promise<StartAnswer> =>
  api.ask(callTo('POST', '/external/bankid/auth'), { body: {}, signal })

type Asked = { readonly orderRef: string; readonly type: LoginWay; readonly isReturn: boolean }

const collectOrder = (body: Asked, signal: AbortSignal): Promise<CollectAnswer> =>
  api.ask(callTo('POST', '/external/bankid/collect', { source: 'debtor' }), { body, signal })

/** Nobody waits for the answer: an order that is not cancelled ends by itself. */
export function cancelOrder(orderRef: string): void {
  void api.ask(callTo('POST', '/external/bankid/cancel'), { body: { orderRef } }).catch(() => undefined)
}

/** Waits, and while the page is hidden until it is looked at again. Throws the signal's reason, as soon as it has one. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((done) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      done()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    // A connection that is back is used at once.
    addEventListener('online', end, { once: true, signal })
  })
  signal.throwIfAborted()
  if (document.visibilityState === 'hidden') {
    await new Promise<void>((done) => {
      document.addEventListener('visibilitychange', () => done(), { once: true, signal })
      signal.addEventListener('abort', () => done(), { once: true })
    })
  }
  signal.throwIfAborted()
}

type Run = {
  readonly way: LoginWay
  /** An order to go on with instead of a new one. */
  readonly resumed: string | undefined
  /** Has whoever is logged in here said that they may be logged out? */
  readonly isAgreed: boolean
  readonly signal: AbortSignal
  readonly show: (order: EidOrder) => void
}

/** Asks until the order ends. Answers the token, or nothing when it failed, which `show` has been told. */
async function followOrder(started: StartAnswer | undefined, run: Run): Promise<Token | undefined> {
  const { way: type, resumed, isAgreed, signal, show } = run
  const isReturn = !started && !isAgreed
  if (isReturn && isSignedIn()) {
    show({ phase: 'taken' })
    return undefined
  }
  const orderRef = started?.orderRef ?? resumed ?? ''
  let wait = started ? POLL_MS : 0
  let missing = 0
  for (;;) {
    await pause(wait, signal)
    try {
      const answer = await collectOrder({ orderRef, type, isReturn }, signal)
      wait = POLL_MS
      missing = 0
      if (answer.status === 'complete') {
        show({ phase: 'finishing' })
        return { token: answer.idToken ?? '', type: answer.tokenType ?? 'Bearer' }
      }
      const { hintCode, message, qrCode } = answer
      if (answer.status === 'failed') {
        const isCancelled = hintCode === 'userCancel'
        show({ phase: 'failed', message: message ?? undefined, isCancelled })
        return undefined
      }
      show({
        phase: 'pending',
        orderRef,
        autoStartToken: started?.autoStartToken,
        qrCode,
        hintCode,
        message,
      })
    } catch (error) {
      if (error instanceof ApiRefusal && error.code === 'eid_session_open') {
        show({ phase: 'taken' })
        return undefined
      }
      // A lost answer tells nothing about the order; it is asked again.
      if (!(error instanceof ApiUnreachable || (error instanceof ApiRefusal && error.status >= 500)))
        throw error
      missing += 1
      if (missing > MOST_MISSING) show({ phase: 'lost' })
      wait = Math.min(Math.max(wait, POLL_MS) * 2, SLOWEST_POLL_MS)
    }
  }
}

/**
 * Runs one order to its end. Answers the token of the session, or nothing when it failed or was given up, which
 * `show` is told with the server's own words. Cancels the order when the signal ends it before its time.
 */
export async function runOrder(run: Run): Promise<Token | undefined> {
  const { resumed, signal, show } = run
  let orderRef = resumed
  try {
    const started = resumed === undefined ? await startOrder(signal) : undefined
    orderRef = started?.orderRef ?? resumed
    if (started) {
      const { autoStartToken, qrCode } = started
      show({
        phase: 'pending',
        orderRef: started.orderRef,
        autoStartToken,
        qrCode,
        hintCode: null,
        message: null,
      })
    }
    return await followOrder(started, run)
  } catch (error) {
    if (signal.aborted) {
      if (orderRef !== undefined) cancelOrder(orderRef)
      return undefined
    }
    const message = error instanceof ApiRefusal && error.status < 500 ? error.message : undefined
    show({ phase: 'failed', message, isCancelled: false })
    return undefined
  }
}
