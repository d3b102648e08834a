/**
 * Takes what could name a person out of texts that leave for another service: references, zip codes, personal
 * numbers, e-mail addresses, and the parts of addresses where they stand (threat log.canary).
 */

/** Names of our own built files: a stack trace is worth nothing without them. */
const ASSET = /^https?:\/\/[^/\s]+\/assets\/[\w.-]+$/

/** E-mail addresses, and what follows in an address after a view or a question mark. */
function maskPlaces(text: string): string {
  return text
    .replaceAll(/[^\s"<>]+@[^\s"<>]+/g, '…@…')
    .replaceAll(/\/(invoices?|confirmation|collection-batch|storage)\/[^\s"'?#\\]+/g, '/$1/…')
    .replaceAll(/\?[^\s"'#\\]*=[^\s"'#\\]*/g, '?…')
}

/** `text` without anything that could name a person. Four digits together are a zip code somewhere. */
export function maskText(text: string): string {
  if (ASSET.test(text)) return text
  return maskPlaces(text).replaceAll(/\d(?:[ \u00a0\u202f-]?\d){3,}/g, '…')
}

/** As `maskText`, for a recording whose words are stars already: its times and sizes stay. */
export const maskRecording = maskPlaces

/** Values that the receiving service needs as they are, by name; none of them is ours to fill. */
const TECHNICAL = new Set([
  'event_id', 'trace_id', 'span_id', 'parent_span_id', 'replay_id', 'replayId', 'sent_at', 'timestamp',
  'public_key', 'release', 'version', 'dsn', 'sample_rate', 'sample_rand', 'type',
]) // biome-ignore format: a list of names
const TECHNICAL_VALUE = /^[\w.:/@+-]{1,200}$/

/** A copy of `value` with every text in it masked, names of properties too. */
export function maskDeep(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    return TECHNICAL.has(name) && TECHNICAL_VALUE.test(value) ? value : maskText(value)
  }
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, name))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [maskText(key), maskDeep(inner, key)]),
  )
}
