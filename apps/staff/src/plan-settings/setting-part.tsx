import type { SettingFamily } from '@kvitt/domain/part-payments/setting-version.ts'
import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { useRight } from '../shell/me.ts'
import { SETTING_TERMS, termText } from '../shell/offers/setting-words.ts'
import { t } from '../text.ts'
import css from './plan-settings.module.css'
import { VIEWS, type Proposed, type Setting, type Version } from './setting-calls.ts'

const TONES: Readonly<Record<Version['state'], ChipTone>> = {
  IN_FORCE: 'ok',
  ENDED: 'neutral',
  COMING: 'warn',
  PAST: 'neutral',
  REPLACED: 'neutral',
}

/** In the heading already, or said by the state. */
const SAID = ['code', 'isOffered']

function Terms({ terms }: { terms: Version | Proposed }) {
  return (
    <dl className={css.terms}>
      {SETTING_TERMS.filter((term) => !SAID.includes(term))
        .map((term) => ({ term, value: termText(terms, term) }))
        .filter(({ value }) => value !== '')
        .map(({ term, value }) => (
          <div key={term}>
            <dt>{t(`setting.${term}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

type PartProps = { family: SettingFamily; setting: Setting; today: string }

/** One code of one owner: what holds, what is to come, what waits for another person, and what was. */
export function SettingPart({ family, setting, today }: PartProps) {
  const { code, creditor, versions, proposed } = setting
  const id = `setting-${code}-${creditor?.id ?? 'all'}`
  const may = useRight('rates')
  const current = versions.find(({ state }) => state === 'IN_FORCE' || state === 'ENDED')
  const coming = versions.filter(({ state }) => state === 'COMING')
  const others = versions.filter(({ state }) => state === 'PAST' || state === 'REPLACED')
  // Of several to come the last: it is what will hold.
  const first = coming[0] ?? current ?? versions[0] ?? proposed[0]
  const older = others.reduce((sum, { running }) => sum + running, 0)
  return (
    <section className={css.part} aria-labelledby={id}>
      <h2 id={id} className={css.head}>
        {code} {current && <Chip tone={TONES[current.state]}>{t(`setting.state.${current.state}`)}</Chip>}
      </h2>
      {creditor && <p>{t('setting.of', { creditor: creditor.name })}</p>}
      {!current && <p className={css.quiet}>{t('setting.nothing')}</p>}
      {current && current.state === 'IN_FORCE' && <Terms terms={current} />}
      {current && <Who version={current} />}
      {older > 0 && <p className={css.quiet}>{t('setting.running.older', { count: older })}</p>}
      {coming.map((version) => (
        <div key={version.id} className={css.news}>
          <h3>
            {t(version.isOffered ? 'setting.coming' : 'setting.coming.off', { day: formatDay(version.from) })}
          </h3>
          {version.isOffered && <Terms terms={version} />}
          <Who version={version} />
        </div>
      ))}
      {proposed.map((one) => (
        <Waiting key={one.id} proposed={one} isLate={one.from < today} />
      ))}
      {may && first && (
        <div className={css.act}>
          <OfficeLink href={hashOf({ view: VIEWS[family], id: first.id })}>
            {t('setting.new_terms')}
            <span className="spoken">{`: ${code}${creditor ? `, ${creditor.name}` : ''}`}</span>
          </OfficeLink>
        </div>
      )}
      {others.length > 0 && <History versions={others} />}
    </section>
  )
}

function Waiting({ proposed, isLate }: { proposed: Proposed; isLate: boolean }) {
  const { id, from, isOffered, proposedBy, proposedAt } = proposed
  return (
    <div className={css.news}>
      <h3>{t(isOffered ? 'setting.waits' : 'setting.waits.off', { day: formatDay(from) })}</h3>
      {isOffered && <Terms terms={proposed} />}
      {isLate && <p>{t('setting.too_late')}</p>}
      <p>
        {t('rates.by', { name: proposedBy, when: momentText(proposedAt) })}{' '}
        <a href={hashOf({ view: 'proposals', id })}>{t('todo.open_proposal')}</a>
      </p>
    </div>
  )
}

/** Who wanted it, who agreed, and how many keep it. */
function Who({ version: { proposedBy, agreedBy, agreedAt, running } }: { version: Version }) {
  return (
    <p className={css.quiet}>
      {proposedBy === null || agreedBy === null || agreedAt === null
        ? t('setting.from_before')
        : t('setting.agreed', { name: proposedBy, other: agreedBy, when: momentText(agreedAt) })}{' '}
      {running === 0 ? t('setting.running.none') : t('setting.running', { count: running })}
    </p>
  )
}

/** What was offered before, and what never came to be. */
function History({ versions }: { versions: readonly Version[] }) {
  return (
    <details className={css.history}>
      <summary>{t('setting.history', { count: versions.length })}</summary>
      <ul>
        {versions.map((version) => (
          <li key={version.id}>
            <p>
              {formatDay(version.from)}{' '}
              <Chip tone={TONES[version.state]}>{t(`setting.state.${version.state}`)}</Chip>
            </p>
            {version.isOffered ? <Terms terms={version} /> : <p>{t('setting.state.ENDED')}</p>}
            <Who version={version} />
          </li>
        ))}
      </ul>
    </details>
  )
}
