/** A wish about a provider that cannot be granted, with the sentence for the person who gave it. Nothing has changed. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  /** Of the place of a new provider, what is wrong: `urlAlias` or `urlDomain`; `taken` when it is another's. */
  readonly place: { readonly field: 'urlAlias' | 'urlDomain'; readonly isTaken: boolean } | undefined

  constructor(message: string, place?: ProviderRefused['place']) {
    super(message)
    this.place = place
  }
}

/**
 * Why a picture cannot be kept. `large` as it comes, `size` as it would be kept; `busy` when too many wait, `reader` when this
 * installation has nothing that reads photographs.
 */
export type PictureFault = 'large' | 'size' | 'kind' | 'pixels' | 'broken' | 'drawing' | 'busy' | 'reader'

export class PictureRefused extends ProviderRefused {
  override name = 'PictureRefused'
  readonly fault: PictureFault

  constructor(fault: PictureFault, message: string) {
    super(message)
    this.fault = fault
  }
}
