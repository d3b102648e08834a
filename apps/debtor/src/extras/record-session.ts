import { getClient, replayIntegration } from '@sentry/browser'

/** Records this session with every word, input and picture in it masked. */
export function recordSession(): void {
  getClient()?.addIntegration(
    // Bytes could not be looked through on their way out.
    replayIntegration({ maskAllText: true, maskAllInputs: true, blockAllMedia: true, useCompression: false }),
  )
}
