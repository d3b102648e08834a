import { SERVICE_LANGUAGES } from '@kvitt/domain/instances/service-texts.ts'
import { failureText } from '@kvitt/office/calls.ts'
import { ChoiceField, OfficeField, SelectField, TicksField } from '@kvitt/office/form/office-field.tsx'
import { useFields, type Fields, type FieldSpecs } from '@kvitt/office/form/use-fields.ts'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { usePlace } from '@kvitt/office/place.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { PayeeAccountsOf } from '../shell/payee-accounts.tsx'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { ColourVerdicts } from './colour-verdicts.tsx'
import { CredentialsOf } from './credentials.tsx'
import css from './instance-provider-page.module.css'
import { NewProvider } from './new-provider.tsx'
import { Pictures } from './pictures.tsx'
import { providerQuery, saveProvider, type Provider } from './provider-calls.ts'
import { COLOURS, POWERS, PROMOTABLE, valuesOf } from './provider-form.ts'
import { ProviderFacts } from './provider-facts.tsx'
import { SignInIssuer } from './sign-in-issuer.tsx'
import { ServiceTexts } from './service-texts.tsx'

/** The operator's own provider: what debtors are told of it, how it looks, and its rules. A manager changes it. */
export default function InstanceProviderPage() {
  usePageName(t('view.instance-providers'))
  const found = useQuery(providerQuery)
  const may = useRight('provider')
  const mayMake = useRight('instances')
  const provider = found.data
  useScrollTo(usePlace().query['at'], provider !== undefined)
  const accounts = (
    <>
      <div className={css.section} id="accounts">
        <PayeeAccountsOf />
      </div>
      <div id="counterparties">{provider && <CredentialsOf id={provider.id} />}</div>
      <div id="sign-in-issuer">{provider && <SignInIssuer id={provider.id} />}</div>
      {mayMake && <NewProvider />}
    </>
  )
  if (provider && may)
    return (
      <>
        {/* A picture that is kept meanwhile takes nothing away of what is typed. */}
        <ProviderForm key={JSON.stringify(valuesOf(provider))} provider={provider} />
        <Pictures provider={provider} />
        {accounts}
      </>
    )
  return (
    <>
      <Bar title={t('view.instance-providers')} />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={6} />}
      {provider && <ProviderFacts provider={provider} />}
      {provider && accounts}
    </>
  )
}

/** A list of what is missing leads to a part of this page. */
function useScrollTo(part: string | undefined, isShown: boolean): void {
  useEffect(() => {
    if (part !== undefined && isShown) document.getElementById(part)?.scrollIntoView({ block: 'start' })
  }, [part, isShown])
}

const SPECS: FieldSpecs = {
  name: { type: 'text', mandatory: true },
  identificationNumber: { type: 'text', mandatory: true },
  'contactInformation.phone': { type: 'phone', mandatory: true },
  'contactInformation.email': { type: 'email', mandatory: true },
  postalAddress: { type: 'text' },
  homepage: { type: 'text' },
  mailFrom: { type: 'email' },
  ...Object.fromEntries(
    COLOURS.map((name) => [`brandInformation.${name}`, { type: 'text', mandatory: true } as const]),
  ),
  fileWait: { type: 'numeric', mandatory: true },
  logins: { type: 'text' },
  needsEid: { type: 'text' },
  ...Object.fromEntries(
    SERVICE_LANGUAGES.flatMap((language) => [
      [`serviceTexts.${language}`, { type: 'text' } as const],
      ...[0, 1].flatMap((n) =>
        ['text', 'url'].map((part) => [`adLinks.${language}.${n}.${part}`, { type: 'text' } as const]),
      ),
    ]),
  ),
}

function ProviderForm({ provider }: { provider: Provider }) {
  const fields = useFields(SPECS, valuesOf(provider))
  const save = useMutation({
    mutationFn: () => saveProvider(provider, fields.values),
    meta: { done: t('provider.saved') },
    onError: (error) => {
      if (error instanceof ApiRefusal)
        fields.refuse(Object.fromEntries(error.errors.map(({ field, message }) => [field, message])))
    },
  })
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (fields.check() && !save.isPending) save.mutate()
      }}
    >
      <Bar
        title={t('view.instance-providers')}
        actions={
          <OfficeButton type="submit" look="primary" isBusy={save.isPending}>
            {t('provider.save')}
          </OfficeButton>
        }
      />
      {save.isError && (
        <div className={css.refused}>
          <MessageBox tone="bad" role="alert">
            <p>{failureText(save.error)}</p>
            {save.error instanceof ApiRefusal && remedyFor(save.error.code)}
          </MessageBox>
        </div>
      )}
      <EntityFields fields={fields} />
      <ColourFields fields={fields} />
      <SignInFields fields={fields} />
      <RuleFields fields={fields} />
      <ServiceTexts fields={fields} hasAd={provider.isProductOwner} />
    </form>
  )
}

type SectionProps = { fields: Fields }

function EntityFields({ fields }: SectionProps) {
  return (
    <section className={css.section} id="details">
      <h2>{t('provider.entity')}</h2>
      <div className={css.grid}>
        <OfficeField {...fields.propsOf('name')} label={t('debtor.name')} />
        <OfficeField {...fields.propsOf('identificationNumber')} label={t('client.number')} />
        <OfficeField {...fields.propsOf('contactInformation.phone')} label={t('debtor.phone')} />
        <OfficeField {...fields.propsOf('contactInformation.email')} label={t('debtor.email')} />
        <OfficeField
          {...fields.propsOf('postalAddress')}
          label={t('provider.postal_address')}
          hint={t('provider.postal_address.hint')}
        />
        <OfficeField
          {...fields.propsOf('homepage')}
          label={t('provider.homepage')}
          hint={t('provider.homepage.hint')}
        />
        <OfficeField
          {...fields.propsOf('mailFrom')}
          label={t('provider.mail_from')}
          hint={t('provider.mail_from.hint')}
        />
      </div>
    </section>
  )
}

function ColourFields({ fields }: SectionProps) {
  const valueOf = (name: (typeof COLOURS)[number]) => fields.values[`brandInformation.${name}`] ?? ''
  return (
    <section className={css.section}>
      <h2>{t('provider.colours')}</h2>
      <div className={css.grid}>
        {COLOURS.map((name) => (
          <OfficeField
            key={name}
            {...fields.propsOf(`brandInformation.${name}`)}
            label={t(`provider.${name}`)}
            hint={t('provider.colour.hint')}
          />
        ))}
      </div>
      <ColourVerdicts
        primary={valueOf('debtorPortalPrimaryBrandColor')}
        button={valueOf('debtorPortalButtonColor')}
      />
    </section>
  )
}

function SignInFields({ fields }: SectionProps) {
  return (
    <section className={css.section} id="logins">
      <h2>{t('provider.sign_in')}</h2>
      <TicksField
        {...fields.propsOf('logins')}
        label={t('provider.logins')}
        choices={(['PAYMENT_REFERENCE', 'BANKID'] as const).map((value) => ({
          value,
          text: t(`provider.login.${value}`),
        }))}
        onValue={(value) => fields.set('logins', value)}
      />
      <ChoiceField
        name="reach"
        label={t('provider.reach')}
        value={fields.values['reach'] ?? ''}
        choices={(['creditor', 'instance'] as const).map((value) => ({
          value,
          text: t(`provider.reach.${value}`),
        }))}
        onValue={(value) => fields.set('reach', value)}
      />
      <TicksField
        {...fields.propsOf('needsEid')}
        label={t('provider.needs_eid')}
        choices={POWERS.map((value) => ({ value, text: t(`provider.needs_eid.${value}`) }))}
        onValue={(value) => fields.set('needsEid', value)}
      />
    </section>
  )
}

function RuleFields({ fields }: SectionProps) {
  return (
    <section className={css.section}>
      <h2>{t('provider.rules')}</h2>
      <div className={css.grid}>
        {PROMOTABLE.map((way) => (
          <SelectField
            key={way}
            name={`promotions.${way}`}
            label={t(`provider.promote.${way}`)}
            value={fields.values[`promotions.${way}`] ?? ''}
            choices={(['', 'NEW', 'RECOMMENDED'] as const).map((value) => ({
              value,
              text: t(value === '' ? 'provider.promote.none' : `provider.promote.${value}`),
            }))}
            onValue={(value) => fields.set(`promotions.${way}`, value)}
          />
        ))}
      </div>
      <OfficeField
        {...fields.propsOf('fileWait')}
        look="number"
        label={t('provider.file_wait')}
        hint={t('provider.file_wait.hint')}
        width="short"
      />
      <ChoiceField
        name="secondFactor"
        label={t('provider.second_factor')}
        value={fields.values['secondFactor'] ?? ''}
        choices={(['default', 'required', 'optional'] as const).map((value) => ({
          value,
          text: t(`provider.second_factor.${value}`),
        }))}
        onValue={(value) => fields.set('secondFactor', value)}
      />
    </section>
  )
}
