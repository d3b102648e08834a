import type { SettingFamily } from '@kvitt/domain/part-payments/setting-version.ts'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { SelectField } from '@kvitt/office/form/office-field.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRight } from '../shell/me.ts'
import { SettingPreview } from '../shell/offers/setting-preview.tsx'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import css from './plan-settings.module.css'
import { settingsQuery, VIEWS, type Settings } from './setting-calls.ts'
import { SettingPart } from './setting-part.tsx'
import { VersionForm } from './version-form.tsx'

type PageProps = {
  family: SettingFamily
  /** `new`, or the version or proposal whose terms a new one begins with; empty for the list. */
  id: string
}

/** What plans or accounts are offered on: in force, to come and past; and the form of new terms. */
export default function PlanSettingsPage({ family, id }: PageProps) {
  const view = VIEWS[family]
  const found = useQuery(settingsQuery(family))
  const { data } = found
  const may = useRight('rates')
  usePageName(t(`view.${view}`))
  const isForm = id !== '' && may
  return (
    <>
      <Bar
        title={isForm ? t(id === 'new' ? `setting.new.${family}` : 'setting.new_terms') : t(`view.${view}`)}
        {...(isForm ? { crumb: { href: hashOf({ view }), text: t(`view.${view}`) } } : {})}
        facts={isForm ? undefined : t(`setting.facts.${family}`)}
        actions={
          may &&
          !isForm && <OfficeLink href={hashOf({ view, id: 'new' })}>{t(`setting.new.${family}`)}</OfficeLink>
        }
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={8} />}
      {data &&
        (isForm ? (
          <VersionForm family={family} settings={data} id={id} />
        ) : (
          <List family={family} data={data} />
        ))}
    </>
  )
}

function List({ family, data }: { family: SettingFamily; data: Settings }) {
  const { settings, today } = data
  return (
    <>
      {settings.length === 0 && (
        <NothingLeft title={t(`setting.none.${family}`)}>
          <p>{t('setting.none.text')}</p>
        </NothingLeft>
      )}
      {settings.map((setting) => (
        <SettingPart
          key={`${setting.code} ${setting.creditor?.id ?? ''}`}
          family={family}
          setting={setting}
          today={today}
        />
      ))}
      {settings.length > 0 && <Offered data={data} />}
    </>
  )
}

/** The whole list as a debtor has it: plans and accounts together. */
function Offered({ data: { creditors, settings } }: { data: Settings }) {
  const [creditorId, setCreditor] = useState('')
  const currencies = [
    ...new Set(settings.flatMap(({ versions }) => versions.map(({ currency }) => currency))),
  ]
  const [chosen, setCurrency] = useState<string>()
  const currency = chosen ?? currencies[0] ?? 'SEK'
  return (
    <section className={css.part} aria-labelledby="offered">
      <h2 id="offered">{t('setting.offered.title')}</h2>
      <p className={css.quiet}>{t('setting.offered.text')}</p>
      <SettingPreview creditorId={creditorId === '' ? null : creditorId} currency={currency}>
        <SelectField
          label={t('setting.owner')}
          name="creditorId"
          value={creditorId}
          onValue={setCreditor}
          choices={[
            { value: '', text: t('setting.owner.all') },
            ...creditors.map(({ id, name }) => ({ value: id, text: name })),
          ]}
        />
        {currencies.length > 1 && (
          <SelectField
            label={t('setting.currency')}
            name="currency"
            value={currency}
            onValue={setCurrency}
            choices={currencies.map((value) => ({ value, text: value }))}
          />
        )}
      </SettingPreview>
    </section>
  )
}
