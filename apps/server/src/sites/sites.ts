/** What the pages of the homepage and the support site say anew: answers to their forms, where no script has answered them. */
import type { Child } from '@kvitt/site/element.ts'
import { doorForm, faultsOfDoor, pairOfDoor } from '@kvitt/site/door-form.ts'
import { helpedAnswer } from '@kvitt/site/helped.ts'
import type { Region } from '@kvitt/site/marks.ts'
import { type CheckResult, checkForm, checkTyped } from '@kvitt/site/message-check.ts'
import { LONGEST_MESSAGE } from '@kvitt/site/message-parts.ts'
import { companyNumberName, postalAddress } from '@kvitt/site/imprint-facts.ts'
import { serviceList } from '@kvitt/site/service-states.ts'
import { type TypedDebt, EXAMPLE_DEBT, isReadIn, waitingPart } from '@kvitt/site/waiting-steps.ts'
import { type Words, wordsOf } from '@kvitt/site/words.ts'
import type { CostedCountry } from '@kvitt/domain/collection/waiting-costs.ts'
import { phoneAbroad } from '@kvitt/domain/instances/phone.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { checkMessage as checkMessageCall } from '@kvitt/domain/messages/message-check.contract.ts'
import { listServiceStates } from '@kvitt/domain/messages/service-states.contract.ts'
import { countAnswer } from '../articles/articles.ts'
import type { Context } from '../context.ts'
import { readEnteredFigures } from '../country-figures/country-figures.ts'
import type { Instance } from '../instances/instances.ts'
import { phoneOf } from '../mail/mail.ts'
import { checkMessage } from '../messages/messages.ts'
import { readServiceStates } from '../payments/payments.ts'
import { bind } from '../sign-in/bind.ts'
import type { Binding } from '../platform/http/call.ts'
import type { AskedPage, PlacedPage } from '../platform/pages/built-site.ts'

/** The calls of the pages' scripts. */
export const SITE_BINDINGS: readonly Binding[] = [
  bind(checkMessageCall, ({ context, principal, body, request }) =>
    checkMessage(context, principal.instance, {
      message: body.message,
      address: request.ip,
      solution: request.headers['challenge-solution']?.toString(),
    }),
  ),
  bind(listServiceStates, async ({ context, principal }) => readServiceStates(context, principal.instance)),
]

/** As much of what was typed as is shown again. */
const LONGEST_SHOWN = 200
const LONGEST_MESSAGE_SHOWN = 2_000

/** These say how the provider is reached. */
const ABOUT_PAGES = ['imprint/', 'privacy/', 'accessibility/']

type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a field of the form holds; undefined when it was not sent. */
function fieldOf(query: Query, name: string): string | undefined {
  return [query[name]].flat()[0]
}

const shorten = (typed: string): string => typed.slice(0, LONGEST_SHOWN)

type Pair = Parameters<typeof pairOfDoor>[0]

/** What was typed at the homepage's door, when its form was sent. */
function doorOf({ site, path, request }: AskedPage): Pair | undefined {
  const query = request.query as Query
  const [paymentReference, zip] = [fieldOf(query, 'paymentReference'), fieldOf(query, 'zip')]
  if (site !== 'home' || path !== '' || (paymentReference === undefined && zip === undefined))
    return undefined
  return { paymentReference: paymentReference ?? '', zip: zip ?? '' }
}

/**
 * Where the door leads to in the debtor portal, behind its hash; undefined where nothing or something else was typed. Looked at by its
 * form alone: whether there is such an invoice, only the portal tells, and limits who asks.
 */
export function pastDoor(page: AskedPage): string | undefined {
  const pair = doorOf(page)
  if (pair === undefined || Object.keys(faultsOfDoor(pair)).length > 0) return undefined
  return `/#/${page.language}/?${pairOfDoor(pair)}`
}

/** The parts of the page that this request writes anew. */
export async function writeRegions(
  context: Context,
  page: PlacedPage,
): Promise<Partial<Record<Region, Child>>> {
  const t = wordsOf(page.language)
  const query = page.request.query as Query
  if (page.site === 'home' && page.path === '') {
    const pair = doorOf(page)
    // Only who has pressed a button here is answered. A page of another site could use up its visitors' questions, and a link in a
    // false message could put words of its own into our fields, or an account above a "yes".
    const from = page.request.headers['sec-fetch-site']
    const isFromHere = from === undefined || from === 'same-origin'
    if (pair !== undefined) {
      if (!isFromHere) return { door: doorForm(t, { faults: faultsOfDoor(pair) }) }
      const typed = { paymentReference: shorten(pair.paymentReference), zip: shorten(pair.zip) }
      return { door: doorForm(t, { typed, faults: faultsOfDoor(pair) }) }
    }
    const message = fieldOf(query, 'message')
    if (message === undefined) return {}
    const shown = message.slice(0, LONGEST_MESSAGE_SHOWN)
    if (!isFromHere) {
      // What is too long is asked of nobody, so it can be said to everybody.
      const isLong = message.length > LONGEST_MESSAGE
      return { check: checkForm(t, shown, isLong ? { answer: 'long', text: '' } : undefined) }
    }
    const ways = { phone: phoneFor(page), portal: `${page.debtor}/${page.language}/` }
    return { check: checkForm(t, shown, await askFor(context, page, message), ways) }
  }
  if (page.site === 'home' && ABOUT_PAGES.includes(page.path)) {
    const { postal_address: address, country } = (page.request.tenant as Instance).row
    const number = companyNumberName(country as CostedCountry, t)
    return { 'company-number': number, ...(address !== null && { address: postalAddress(address, t) }) }
  }
  if (page.site === 'home' && page.path === 'services/') {
    return { services: serviceList(readServiceStates(context, page.request.tenant as Instance).services, t) }
  }
  if (page.path === 'waiting/') return { waiting: await writeWaiting(context, page, t) }
  const counted = fieldOf(query, 'counted')
  if (page.site === 'support' && counted !== undefined) {
    const said = { isCounted: counted === 'yes', hasHelped: fieldOf(query, 'helped') !== 'no' }
    const { text: phone, href: phoneHref } = phoneFor(page)
    return { helped: helpedAnswer(said, t, { phone, phoneHref, base: `${page.base}/${page.language}/` }) }
  }
  return {}
}

/** Our phone as the page's other links have it: as it is rung from where its language is spoken. */
function phoneFor({ language, request }: AskedPage): { text: string; href: string } {
  const { phone, country } = (request.tenant as Instance).row
  return {
    text: isReadIn(language, country) ? phone : phoneAbroad(phone, country),
    href: phoneOf(phone, country) ?? phone,
  }
}

/** What waiting costs at this provider, whose figures the built page does not know, today. */
async function writeWaiting(context: Context, { language, request }: AskedPage, t: Words): Promise<Child> {
  const query = request.query as Query
  const { row, timeZone } = request.tenant as Instance
  const entered = await readEnteredFigures(context.db, row.id)
  const today = context.clock.today(timeZone)
  if (fieldOf(query, 'amount') === undefined) return waitingPart(language, t, { today, entered })
  const typed = Object.fromEntries(
    Object.keys(EXAMPLE_DEBT).map((name) => [name, shorten(fieldOf(query, name) ?? '')]),
  ) as TypedDebt
  return waitingPart(language, t, { typed, today, entered })
}

/** Each thing that stands in the message counts as a question, as it does where a script asks. */
async function askFor(context: Context, { request }: AskedPage, message: string): Promise<CheckResult> {
  return checkTyped(message, async (text) => {
    try {
      return await checkMessage(context, request.tenant as Instance, { message: text, address: request.ip })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'check_throttled') return 'later'
      throw error
    }
  })
}

/** Counts an answer to "did this help?". */
export async function receiveAnswer(
  context: Context,
  { request, language, path }: AskedPage,
  form: URLSearchParams,
): Promise<boolean> {
  const helped = form.get('helped')
  if (helped !== 'yes' && helped !== 'no') throw new Refusal('invalid_request')
  const topic = path.replace(/\/$/, '')
  const instance = request.tenant as Instance
  return countAnswer(context, instance, { topic, language, helped: helped === 'yes', address: request.ip })
}
