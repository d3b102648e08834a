import { Facts } from '../shell/facts.tsx'
import { t } from '../text.ts'
import css from './instance-provider-page.module.css'
import type { Provider } from './provider-calls.ts'
import { POWERS } from './provider-form.ts'

/** The same to read, for who may not change it. */
export function ProviderFacts({ provider }: { provider: Provider }) {
  const { contactInformation: contact, brandInformation: brand, needsEid, logins } = provider
  const eid = POWERS.filter((one) => needsEid.includes(one)).map((one) => t(`provider.needs_eid.${one}`))
  const ways = (['PAYMENT_REFERENCE', 'BANKID'] as const).filter((one) => logins.includes(one))
  return (
    <section className={css.section}>
      <p className={css.quiet}>{t('provider.read_only')}</p>
      <Facts
        rows={[
          { id: 'name', name: t('debtor.name'), value: provider.name },
          { id: 'number', name: t('client.number'), value: provider.identificationNumber },
          { id: 'phone', name: t('debtor.phone'), value: contact.phone },
          { id: 'email', name: t('debtor.email'), value: contact.email },
          { id: 'postal-address', name: t('provider.postal_address'), value: provider.postalAddress },
          { id: 'homepage', name: t('provider.homepage'), value: provider.homepage },
          { id: 'mail-from', name: t('provider.mail_from'), value: provider.mailFrom },
          {
            id: 'colours',
            name: t('provider.colours'),
            value: `${brand.debtorPortalPrimaryBrandColor}, ${brand.debtorPortalSecondaryBrandColor}, ${brand.debtorPortalButtonColor}`,
          },
          {
            id: 'logins',
            name: t('provider.logins'),
            value: ways.map((one) => t(`provider.login.${one}`)).join(', '),
          },
          { id: 'reach', name: t('provider.reach'), value: t(`provider.reach.${provider.reach}`) },
          { id: 'eid', name: t('provider.needs_eid'), value: eid.join(', ') },
          { id: 'file-wait', name: t('provider.file_wait'), value: String(provider.fileWait) },
          {
            id: 'second-factor',
            name: t('provider.second_factor'),
            value: t(`provider.second_factor.${provider.secondFactor}`),
          },
        ]}
      />
    </section>
  )
}
