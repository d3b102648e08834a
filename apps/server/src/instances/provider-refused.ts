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

/** Why a picture cannot be kept. */
export type PictureFault = 'size' | 'kind' | 'pixels' | 'broken' | 'drawing'

export class PictureRefused extends ProviderRefused {
  override name = 'PictureRefused'
  readonly fault: PictureFault

  constructor(fault: PictureFault, message: string) {
    super(message)
    this.fault = fault
  }
}
