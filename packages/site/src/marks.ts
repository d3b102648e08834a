/** The places of a built page that the server fills, and the parts that it may write anew. */
import { type Child, htmlOf } from './element.ts'

/**
 * What the server writes into a built page at each visit. A mark stands as `%%name%%`, escaped for HTML when it is filled;
 * `%%json.name%%` is escaped for a text inside JSON.
 */
export const MARKS = [
  'name',
  'shortName',
  'identificationNumber',
  'email',
  'phone',
  /** As it is rung from another country. */
  'phoneAbroad',
  'phoneHref',
  /** What it says of its customer service, such as when it answers; may be empty. */
  'serviceText',
  'country',
  /** What a phone shows as the sender of a text message, and the address in it. */
  'smsSender',
  'smsAddress',
  /** Who supervises collection in its country. */
  'supervisor',
  /** What stands before the paths of each portal, seen from this page: nothing, a path, or another host. */
  'debtor',
  'home',
  'support',
  /** The same from anywhere. */
  'homeWhole',
  'supportWhole',
] as const
export type Mark = (typeof MARKS)[number]

/** Fragments of HTML that the server makes. */
export const FRAGMENTS = ['brand', 'logo', 'nonce'] as const
export type Fragment = (typeof FRAGMENTS)[number]

export function mark(name: Mark | Fragment): string {
  return `%%${name}%%`
}

/** Inside JSON. */
export function jsonMark(name: Mark): string {
  return `%%json.${name}%%`
}

/** Parts of a built page that the server writes anew where a form without a script has been sent. */
export type Region = 'address' | 'check' | 'company-number' | 'door' | 'waiting' | 'services' | 'helped'

const edge = (name: Region, end = ''): string => `<!--${end}${name}-->`

/** A part of a page that can be written anew. */
export function region(name: Region, child: Child): Child {
  return [{ html: edge(name) }, child, { html: edge(name, '/') }]
}

export function hasRegion(html: string, name: Region): boolean {
  return html.includes(edge(name))
}

/** The page with another content in one part. */
export function withRegion(html: string, name: Region, child: Child): string {
  const [begin, end] = [html.indexOf(edge(name)), html.indexOf(edge(name, '/'))]
  if (begin < 0 || end < begin) return html
  return html.slice(0, begin) + htmlOf(child) + html.slice(end)
}
