/** Which services answer, in words. */
import { type Child, el } from './element.ts'
import { type WordKey, type Words } from './words.ts'

export type ServiceState = { readonly code: string; readonly state: 'works' | 'silent' | 'unknown' }

const NAMES: Readonly<Record<string, WordKey>> = {
  PORTAL: 'services.portal',
  BANKID: 'services.eid',
  DIRECT_BANK: 'services.bank',
  SWISH: 'services.swish',
}

const nameOf = ({ code }: ServiceState, t: Words): string => (NAMES[code] ? t(NAMES[code]) : code)

/** Each service with its state. */
export function serviceList(states: readonly ServiceState[], t: Words): Child {
  return el(
    'dl.services',
    {},
    ...states.map((one) =>
      el(`div.${one.state}`, {}, el('dt', {}, nameOf(one, t)), el('dd', {}, t(`services.${one.state}`))),
    ),
  )
}

/** All of them in one sentence. */
export function servicesInWords(states: readonly ServiceState[], t: Words): string {
  const silent = states.find(({ state }) => state === 'silent')
  return silent ? t('services.fault', { service: nameOf(silent, t) }) : t('services.all')
}

/** Room for them beside an article, empty and unseen until the page's script has asked. */
export function statesPlace(t: Words): Child {
  return el('section', { id: 'states', hidden: true }, el('h3', {}, t('foot.services')))
}
