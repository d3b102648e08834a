/** The provider whose portal this is: written into the page by the server. */

export type OfficeProvider = {
  readonly name: string
  /** The one that fits a bar. */
  readonly shortName: string
  readonly logo?: string
  readonly phone?: string
  readonly email?: string
  /** Which contract the server made this page for. */
  readonly contract?: string
}

/** Reads the provider from the page. */
export function readProvider(): OfficeProvider {
  const written = document.getElementById('kvitt-instance')?.textContent
  return written ? (JSON.parse(written) as OfficeProvider) : { name: 'Kvitt', shortName: 'Kvitt' }
}
