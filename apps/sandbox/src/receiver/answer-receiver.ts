import type { Answer, Call } from '../serve.ts'
import { answerReceiverPage } from './receiver-page.ts'
import type { Receiver } from './receiver.ts'

/** Where a program of the demo's firm was before it moved, whatever is chosen on the page. */
const GONE = '/receiver/gone'

/** The receiver's page, its form, and what is sent to it; undefined for other paths. */
export function answerReceiver(receiver: Receiver, call: Call): Answer | undefined {
  const { method, path } = call
  if (path !== '/receiver' && !path.startsWith('/receiver/')) return undefined
  if (method === 'GET' && path === '/receiver') return answerReceiverPage(receiver)
  if (method === 'POST' && path === '/receiver/settings') {
    // Another website in the same browser may not fill the form in.
    if (!isOwnForm(call)) return { status: 403 }
    const form = new URLSearchParams(call.body)
    receiver.set({ mode: form.get('mode') ?? undefined, secret: form.get('secret') ?? undefined })
    return { status: 303, headers: { location: '/receiver' } }
  }
  if (path === GONE) return { status: 410, body: 'Nobody is here any more.' }
  return method === 'POST' ? receiver.take(call) : { status: 405 }
}

function isOwnForm({ headers: { origin, host } }: Call): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host
}
