/** A provider's texts of customer service and the links of its advertisement, each wish checked; what becomes empty is gone. */
import {
  LONGEST_AD_TEXT,
  LONGEST_SERVICE_TEXT,
  MOST_AD_LINKS,
  readLink,
  type AdLink,
  type ServiceLanguage,
} from '@kvitt/domain/instances/service-texts.ts'
import type { InstanceRow } from './instances.queries.ts'
import { ProviderRefused } from './provider-refused.ts'

/** One language at a time; null and what is empty takes away. */
export type TextWishes = {
  readonly serviceText?: readonly [ServiceLanguage, string | null] | undefined
  readonly adLinks?: readonly [ServiceLanguage, readonly AdLink[] | null] | undefined
}

type Texts = Pick<InstanceRow, 'service_texts' | 'ad_links'>

export function textsOf(row: InstanceRow, { serviceText, adLinks }: TextWishes): Texts {
  return {
    service_texts: serviceText
      ? changed(row.service_texts, serviceText[0], serviceTextOf(serviceText[1]))
      : row.service_texts,
    ad_links: adLinks
      ? changed(row.ad_links, adLinks[0], shownBy(row, linksOf(adLinks[1] ?? [])))
      : row.ad_links,
  }
}

/** Links are shown at the product's own company alone: another's would be kept for nobody. Taking away is always right. */
function shownBy<Links>(
  { is_product_owner: isOwner }: InstanceRow,
  links: Links | undefined,
): Links | undefined {
  if (!isOwner && links !== undefined)
    throw new ProviderRefused("Only the product's own company shows links of an advertisement.")
  return links
}

function changed<Value>(
  before: Partial<Record<ServiceLanguage, Value>>,
  language: ServiceLanguage,
  value: Value | undefined,
): Partial<Record<ServiceLanguage, Value>> {
  const { [language]: _, ...others } = before
  return value === undefined ? others : { ...before, [language]: value }
}

function serviceTextOf(said: string | null): string | undefined {
  const text = said?.trim() ?? ''
  if (text.length > LONGEST_SERVICE_TEXT)
    throw new ProviderRefused(`A text of customer service has ${LONGEST_SERVICE_TEXT} characters at most.`)
  return text === '' ? undefined : text
}

/** One that is empty on both sides is not there; one that is empty on one side is a mistake. */
function linksOf(said: readonly AdLink[]): readonly AdLink[] | undefined {
  const links = said.filter(({ text, url }) => text.trim() !== '' || url.trim() !== '')
  if (links.length > MOST_AD_LINKS)
    throw new ProviderRefused(`An advertisement has ${MOST_AD_LINKS} links at most.`)
  const read = links.map(({ text, url }) => {
    const href = readLink(url.trim())
    const name = text.trim()
    if (name === '' || name.length > LONGEST_AD_TEXT)
      throw new ProviderRefused(`The words of a link are 1 to ${LONGEST_AD_TEXT} characters.`)
    if (href === undefined || !URL.canParse(href))
      throw new ProviderRefused(`"${url}" is not an address like https://www.example.com.`)
    return { text: name, url: href }
  })
  return read.length === 0 ? undefined : read
}
