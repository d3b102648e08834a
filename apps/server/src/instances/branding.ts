/** What of an instance shows before any script has run. */
import { CALLING_CODES, phoneAbroad } from '@kvitt/domain/instances/phone.ts'
import type { CostedCountry } from '@kvitt/domain/collection/waiting-costs.ts'
import { START_PAGE_MARKS as MARKS } from '@kvitt/domain/instances/start-page.ts'
import { SUPERVISORS } from '@kvitt/site/supervisors.ts'
import type { Language } from '../platform/texts.ts'
import type { Branding } from '../platform/pages/debtor-portal.ts'
import type { StaffBranding } from '../platform/pages/staff-portal.ts'
import type { SiteBrand } from '../platform/pages/built-site.ts'
import type { ServiceProvider } from './service-providers.ts'
import { presentInstance, shortName, type Instance } from './instances.ts'

/** Where page views are counted (apps/debtor/src/extras/page-views.ts). */
const ANALYTICS = 'https://www.google-analytics.com'

/** What the page shows that is not the instance's own. */
type Settings = {
  readonly loginProviders: readonly ServiceProvider[]
  readonly errorReportingDsn: string | undefined
}

/** With the ways to log in, so that the first screen has to ask for nothing. */
export function brandingOf(
  instance: Instance,
  { loginProviders, errorReportingDsn: dsn }: Settings,
): Branding {
  const { row } = instance
  const callingCode = CALLING_CODES[row.country]
  const chat = row.helpdesk_chat_html === null ? undefined : { mode: row.chat_mode, hosts: row.chat_hosts }
  return {
    name: row.name,
    language: instance.language,
    favicon: row.favicon_name,
    variables: variablesOf(instance),
    marks: marksOf(instance),
    logins: loginProviders
      .map(({ code }) => code)
      .sort()
      .join(),
    answer: {
      ...shownOf(instance),
      shortName: shortName(instance),
      callingCode: callingCode && `+${callingCode}`,
      loginProviders: loginProviders.map(({ code, enabled }) => ({ code, enabled })),
      chat,
      errorReporting: dsn === undefined ? undefined : { dsn },
    },
    foreign: {
      chatHosts: chat?.hosts ?? [],
      isChatInPage: chat !== undefined && chat.mode !== 'frame',
      receivers: [
        ...(dsn === undefined ? [] : [new URL(dsn).origin]),
        ...(row.analytics_code === null ? [] : [ANALYTICS]),
      ],
    },
    chatFrame: chat?.mode === 'frame' ? row.helpdesk_chat_html : null,
  }
}

/** As staff see this provider. */
export function staffBrandingOf(instance: Instance): StaffBranding {
  const { row } = instance
  return {
    name: row.name,
    language: instance.language,
    favicon: row.favicon_name,
    variables: variablesOf(instance),
    answer: {
      name: row.name,
      shortName: shortName(instance),
      logo: row.logo_name,
      phone: row.phone,
      email: row.email,
    },
  }
}

/** The colours, made readable. */
function variablesOf({ row }: Instance): Branding['variables'] {
  return {
    '--brand-1': row.primary_colour,
    '--brand-2': row.secondary_colour,
    '--brand-btn': row.button_colour,
    '--fill': row.palette.fill,
    '--on-fill': row.palette.onFill,
    '--fill-d': row.palette.fillDark,
    '--on-fill-d': row.palette.onFillDark,
    '--ink-brand-l': row.palette.inkLight,
    '--ink-brand-d': row.palette.inkDark,
    '--edge': row.palette.edge ? '1' : '0',
  }
}

/** As much of the instance's answer as the portal looks at: its colours are in the style already. */
function shownOf(instance: Instance): object {
  const { name, homepage, identificationNumber, contactInformation, fileInformation, ...others } =
    presentInstance(instance)
  const { clientAnalyticsCode, helpdeskChatHtml, isProductOwner, serviceTexts, adLinks } = others
  const {
    debtorPortalLogotypeFileName,
    debtorPortalBackgroundFileName,
    debtorPortalLoginBackgroundFileName,
  } = fileInformation
  return {
    name,
    homepage,
    identificationNumber,
    contactInformation,
    fileInformation: {
      debtorPortalLogotypeFileName,
      debtorPortalBackgroundFileName,
      debtorPortalLoginBackgroundFileName,
    },
    clientAnalyticsCode,
    helpdeskChatHtml,
    isProductOwner,
    ...(Object.keys(serviceTexts).length > 0 && { serviceTexts }),
    ...(Object.keys(adLinks).length > 0 && { adLinks }),
  }
}

/** What a telephone link dials: the same from every country. */
const dialled = ({ phone, country }: Pick<Instance['row'], 'phone' | 'country'>): string =>
  phoneAbroad(phone, country).replaceAll(/[^\d+]/g, '')

/** What the prerendered screens show of this provider. */
function marksOf(instance: Instance): Branding['marks'] {
  const { row } = instance
  const file = (name: string | null): string | null => name && encodeURIComponent(name)
  return [
    [`tel:${MARKS.phone}`, `tel:${dialled(row)}`],
    [MARKS.phone, row.phone],
    [MARKS.phoneAbroad, phoneAbroad(row.phone, row.country)],
    [MARKS.email, row.email],
    [MARKS.identificationNumber, row.identification_number],
    [MARKS.logo, file(row.logo_name)],
    [MARKS.loginBackground, file(row.login_background_name)],
    [MARKS.shortName, shortName(instance)],
    [MARKS.name, row.name],
  ]
}

/** As the homepage and the support site show this provider, and its text messages. */
export function siteBrandOf(
  instance: Instance,
  language: Language,
  sms: Pick<SiteBrand['texts'], 'smsSender' | 'smsAddress'>,
): SiteBrand {
  const { row } = instance
  return {
    favicon: row.favicon_name,
    variables: variablesOf(instance),
    logo: row.logo_name,
    host: instance.host,
    texts: {
      name: row.name,
      shortName: shortName(instance),
      identificationNumber: row.identification_number,
      email: row.email,
      phone: row.phone,
      phoneAbroad: phoneAbroad(row.phone, row.country),
      phoneHref: dialled(row),
      serviceText: row.service_texts[language] ?? '',
      country: row.country,
      ...sms,
      supervisor: SUPERVISORS[row.country as CostedCountry],
    },
  }
}
