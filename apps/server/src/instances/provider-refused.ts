/** A wish about a provider that cannot be granted, with the sentence for the person who gave it. Nothing has changed. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
}
