/**
 * Tells the error reporting service what broke (specification section 1): a tenth of the traces, and with consent a
 * tenth of the sessions recorded with every word masked. Nothing leaves that could name a person: each message
 * passes `maskDeep` on its way out, whatever made it.
 */
import { browserTracingIntegration, httpClientIntegration, init, makeFetchTransport } from '@sentry/browser'
import { maskDeep, maskRecording } from './mask.ts'

type Envelope = Parameters<ReturnType<typeof makeFetchTransport>['send']>[0]

/** An envelope is its header and items; an item is its header and a body, and a recording's body is text. */
function maskEnvelope([header, items]: Envelope): Envelope {
  const masked = (items as [{ type: string }, unknown][]).flatMap(([itemHeader, body]) => {
    if (typeof body === 'string') return [[itemHeader, maskRecording(body)]]
    // Bytes cannot be looked through, so they do not leave.
    return ArrayBuffer.isView(body) ? [] : [[itemHeader, maskDeep(body)]]
  })
  return [maskDeep(header), masked] as unknown as Envelope
}

async function readRelease(): Promise<string | undefined> {
  try {
    const answer = await fetch('/api/ping/version')
    const body = (await answer.json()) as { data: { version: string } }
    return `kvitt@${body.data.version}`
  } catch {
    return undefined
  }
}

/** `sampling` is the share of page loads that are traced. */
export async function reportErrors(dsn: string, sampling: number): Promise<void> {
  const release = await readRelease()
  init({
    dsn,
    ...(release ? { release } : {}),
    tracesSampleRate: sampling,
    // Whether there is a recording at all is decided before it is fetched (extras.tsx).
    replaysSessionSampleRate: 1,
    replaysOnErrorSampleRate: 1,
    // Ours go to our own server alone; it has no use for trace headers.
    tracePropagationTargets: [],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
    },
    integrations: [
      browserTracingIntegration(),
      httpClientIntegration({ failedRequestStatusCodes: [[400, 599]] }),
    ],
    transport: (options) => {
      const transport = makeFetchTransport(options)
      return { ...transport, send: (envelope) => transport.send(maskEnvelope(envelope)) }
    },
  })
}
