import { CURRENCIES } from '@kvitt/domain/money.ts'
import { SETTING_FAMILIES, type SettingFamily } from '@kvitt/domain/part-payments/setting-version.ts'
import { failureText } from '@kvitt/office/calls.ts'
import { ChoiceField, OfficeField, SelectField, TicksField } from '@kvitt/office/form/office-field.tsx'
import { useFields, type Fields } from '@kvitt/office/form/use-fields.ts'
import { NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { queries } from '../calls.ts'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { SettingPreview } from '../shell/offers/setting-preview.tsx'
import { t } from '../text.ts'
import css from './plan-settings.module.css'
import { proposeVersion, VIEWS, type Settings } from './setting-calls.ts'
import { initialValues, numbersOf, specsOf, versionOf } from './version-fields.ts'

type FormProps = { family: SettingFamily; settings: Settings; id: string }

/** The setting whose version or proposal has this id. */
function startOf({ settings }: Settings, id: string) {
  for (const { creditor, versions, proposed } of settings) {
    const terms = [...versions, ...proposed].find((one) => one.id === id)
    const running = versions.reduce((sum, version) => sum + version.running, 0)
    if (terms) return { terms, creditorId: creditor?.id ?? '', running }
  }
  return undefined
}

/** New terms from a day on: every field, what the law makes of them, and what debtors would be offered, before anything is proposed. */
export function VersionForm({ family, settings, id }: FormProps) {
  const from = startOf(settings, id)
  if (id !== 'new' && !from) return <NothingLeft title={t('setting.gone')} />
  return <Form family={family} settings={settings} from={from} />
}

type KnownProps = Omit<FormProps, 'id'> & { from: ReturnType<typeof startOf> }

function Form({ family, settings, from }: KnownProps) {
  const [initial] = useState(() => initialValues(family, settings, from))
  const [variant, setVariant] = useState(initial['variant'] ?? '')
  const [isOffered, setOffered] = useState(initial['isOffered'] !== 'false')
  const fields = useFields(specsOf({ variant, isOffered }, settings), initial)
  const version = versionOf(fields.values)
  const { creditorId, ...terms } = version
  // One key for one wish: another one is another proposal.
  const sent = useRef({ asked: '', key: '' })
  const act = useMutation({
    mutationFn: () => {
      const asked = JSON.stringify(version)
      if (sent.current.asked !== asked) sent.current = { asked, key: crypto.randomUUID() }
      return proposeVersion(family, version, sent.current.key)
    },
    meta: { done: t('rates.proposed') },
    onSuccess: () => {
      for (const key of [VIEWS[family], 'part-payment-offers', 'tasks', 'proposals'])
        void queries.invalidateQueries({ queryKey: [key] })
      goTo(hashOf({ view: VIEWS[family] }))
    },
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
        if (!act.isPending && fields.check()) act.mutate()
      }}
    >
      <section className={css.part}>
        <p>{t('setting.does')}</p>
        {from !== undefined && from.running > 0 && (
          <p>{t(`setting.running.kept.${family}`, { count: from.running })}</p>
        )}
        {act.isError && (
          <MessageBox tone="bad" role="alert">
            {failureText(act.error)}
          </MessageBox>
        )}
        {act.error instanceof ApiRefusal && remedyFor(act.error.code)}
        <Places
          fields={fields}
          settings={settings}
          isNew={from === undefined}
          family={family}
          onVariant={setVariant}
          onOffered={setOffered}
        />
        {terms.isOffered && <TermFields fields={fields} variant={variant} />}
      </section>
      <section className={css.part} aria-labelledby="would-be">
        <h2 id="would-be">{t('setting.would.title')}</h2>
        <p className={css.quiet}>{t('setting.would.text')}</p>
        <SettingPreview creditorId={creditorId} currency={terms.currency} version={terms} />
        <div className={css.act}>
          <OfficeButton look="primary" size="large" type="submit" isBusy={act.isPending}>
            {t('setting.propose')}
          </OfficeButton>
        </div>
      </section>
    </form>
  )
}

type PlacesProps = {
  fields: Fields
  settings: Settings
  family: SettingFamily
  /** A code keeps its owner, its kind and its currency: only a new one chooses them. */
  isNew: boolean
  onVariant: (variant: string) => void
  onOffered: (isOffered: boolean) => void
}

/** Whose terms, of which code, and from which day on. */
function Places({ fields, settings, family, isNew, onVariant, onOffered }: PlacesProps) {
  const { creditors, today } = settings
  const { values, set, propsOf } = fields
  const choose = (name: string) => ({
    name,
    value: values[name] ?? '',
    onValue: (value: string) => set(name, value),
  })
  return (
    <>
      <div className={css.grid}>
        {isNew && (
          <OfficeField {...propsOf('code')} label={t('setting.code')} hint={t('setting.code.hint')} />
        )}
        {!isNew && (
          <p>
            <span className={css.quiet}>{t('setting.code')}</span> {values['code']}
          </p>
        )}
        <SelectField
          {...choose('creditorId')}
          label={t('setting.owner')}
          choices={[
            { value: '', text: t('setting.owner.all') },
            ...creditors.map(({ id, name }) => ({ value: id, text: name })),
          ]}
        />
        {isNew && (
          <SelectField
            {...choose('currency')}
            label={t('setting.currency')}
            choices={CURRENCIES.map((value) => ({ value, text: value }))}
          />
        )}
        <OfficeField
          {...propsOf('from')}
          look="date"
          label={t('setting.from')}
          hint={t('setting.from.hint')}
          min={today}
        />
      </div>
      {isNew && SETTING_FAMILIES[family].length > 1 && (
        <ChoiceField
          label={t('setting.variant')}
          name="variant"
          value={values['variant'] ?? ''}
          onValue={(value) => {
            set('variant', value)
            onVariant(value)
          }}
          choices={SETTING_FAMILIES[family].map((value) => ({
            value,
            text: t(`setting.variant.${value}`),
            hint: t(`setting.variant.${value}.hint`),
          }))}
        />
      )}
      {!isNew && (
        <ChoiceField
          {...choose('isOffered')}
          onValue={(value) => {
            set('isOffered', value)
            onOffered(value === 'true')
          }}
          label={t('setting.isOffered')}
          choices={[
            { value: 'true', text: t('setting.offer.yes') },
            { value: 'false', text: t('setting.offer.no'), hint: t('setting.offer.no.hint') },
          ]}
        />
      )}
    </>
  )
}

const PERCENTS: readonly string[] = ['percent', 'thresholdPercent']
const SUMS: readonly string[] = ['startFee', 'monthlyFee', 'smallestBalance']

function TermFields({ fields, variant }: { fields: Fields; variant: string }) {
  const { values, propsOf } = fields
  const isAccount = variant === 'PART_PAYMENT_ACCOUNT'
  const ticks = ['legalVisible', 'termsVisible', ...(isAccount ? ['addToExisting'] : [])] as readonly (
    | 'legalVisible'
    | 'termsVisible'
    | 'addToExisting'
  )[]
  return (
    <>
      <div className={css.grid}>
        {numbersOf(variant).map((name) => (
          <OfficeField
            key={name}
            {...propsOf(name)}
            look="number"
            label={t(`setting.${name}`)}
            unit={PERCENTS.includes(name) ? '%' : SUMS.includes(name) ? values['currency'] : undefined}
          />
        ))}
      </div>
      <TicksField
        label={t('setting.shown')}
        {...propsOf('ticks')}
        choices={ticks.map((value) => ({
          value,
          text: t(`setting.${value}`),
          hint: t(`setting.${value}.hint`),
        }))}
        onValue={(value) => fields.set('ticks', value)}
      />
    </>
  )
}
