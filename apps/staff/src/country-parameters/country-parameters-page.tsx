import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { Tabs } from '@kvitt/office/list/tabs.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { useQuery } from '@tanstack/react-query'
import { countryName } from '../shell/figure-words.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import css from './country-parameters.module.css'
import { figuresQuery, type Country, type CountryFigures, type Figure } from './figure-calls.ts'
import { marginText } from './figure-forms.ts'
import { FigureSection } from './figure-section.tsx'

/** Rates, fees and ceilings of the law, by country: what holds today, what nobody has confirmed, and the way to enter it. */
export default function CountryParametersPage({ id }: { id: string }) {
  usePageName(t('view.country-parameters'))
  const { query } = usePlace()
  const found = useQuery(figuresQuery)
  const { data } = found
  const task = query['task']
  const chosen = data && countryOf(data, { id, task })
  return (
    <>
      <Bar title={t('view.country-parameters')} facts={t('rates.facts')} />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={8} />}
      {data && chosen && (
        <>
          <Tabs
            label={t('client.country')}
            current={chosen.country}
            hrefOf={(country) => hashOf({ view: 'country-parameters', id: country })}
            tabs={data.countries.map(({ country, figures }) => ({
              id: country,
              text: countryName(country),
              count: figures.reduce((sum, { asked }) => sum + asked.length, 0),
            }))}
          />
          <CountryPart key={chosen.country} data={data} country={chosen} task={task} />
        </>
      )}
    </>
  )
}

/** The country of the address or of the task that led here; else where somebody waits, else where creditors are. */
function countryOf(
  { countries }: CountryFigures,
  { id, task }: { id: string; task: string | undefined },
): Country | undefined {
  const isAsked = (country: Country): boolean => country.figures.some(({ asked }) => asked.length > 0)
  return (
    countries.find(({ figures }) =>
      figures.some(({ asked }) => asked.some(({ taskId }) => taskId === task)),
    ) ??
    countries.find(({ country }) => country === id) ??
    countries.find(isAsked) ??
    countries.toSorted((a, b) => b.creditors - a.creditors)[0]
  )
}

/** First what somebody waits for, then what nobody has confirmed, then the rest. */
const rankOf = ({ asked, proposed, state }: Figure): number => {
  if (asked.length > 0 || proposed.length > 0) return 0
  return state === 'UNKNOWN' || state === 'ASSUMED' ? 1 : 2
}

type PartProps = { data: CountryFigures; country: Country; task: string | undefined }

function CountryPart({ data: { isLive, today }, country, task }: PartProps) {
  const { figures, creditors } = country
  const isGone =
    task !== undefined && !figures.some(({ asked }) => asked.some(({ taskId }) => taskId === task))
  return (
    <>
      {isGone && <NothingLeft title={t('rates.task_over')} />}
      <div className={css.part}>
        <p>{creditors === 0 ? t('rates.no_creditors') : t('rates.creditors', { count: creditors })}</p>
        <p className={css.quiet}>{marginText(country)}</p>
        <p className={css.quiet}>{t(isLive ? 'rates.live' : 'rates.demo')}</p>
      </div>
      {figures
        .toSorted((a, b) => rankOf(a) - rankOf(b))
        .map((figure) => (
          <FigureSection
            key={figure.figure}
            country={country}
            figure={figure}
            today={today}
            isLive={isLive}
            task={task}
          />
        ))}
    </>
  )
}
