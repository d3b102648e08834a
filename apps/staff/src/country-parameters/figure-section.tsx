import { isClosed } from '@kvitt/domain/collection/entered-figures.ts'
import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { useState } from 'react'
import { queries } from '../calls.ts'
import { Facts } from '../shell/facts.tsx'
import { figureName, valueTexts, type FigureValue } from '../shell/figure-words.ts'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import css from './country-parameters.module.css'
import { FIGURES_KEY, proposeFigure, type Country, type Figure, type FigureRow } from './figure-calls.ts'
import { doubtOf, withDoubt, withTicks } from './figure-doubts.ts'
import { figureForm, figureOf } from './figure-forms.ts'
import { costText } from './figure-texts.ts'

const TONES: Readonly<Record<Figure['state'], ChipTone>> = {
  CONFIRMED: 'ok',
  ENTERED: 'ok',
  ASSUMED: 'warn',
  UNKNOWN: 'bad',
}

type SectionProps = {
  country: Country
  figure: Figure
  today: string
  isLive: boolean
  /** The task that has led here: its form is open. */
  task: string | undefined
}

/** One figure: what holds, what it costs not to know it, what waits, and what was. */
export function FigureSection({ country, figure, today, isLive, task }: SectionProps) {
  const { now, state, proposed, asked } = figure
  const id = `figure-${figure.figure}`
  const cost = costText(figure, { isLive, country })
  return (
    <section className={css.part} aria-labelledby={id}>
      <h2 id={id} className={css.head}>
        {figureName(country.country, figure.figure)}{' '}
        <Chip tone={TONES[state]}>{t(`rates.state.${state}`)}</Chip>
      </h2>
      {now && <Row country={country} row={now} isHalfYearly={figure.isHalfYearly} />}
      {!now && <p className={css.quiet}>{t('rates.nothing')}</p>}
      {cost && (
        <p className={css.cost} data-tone={state === 'UNKNOWN' || isLive ? 'bad' : 'warn'}>
          {cost}
        </p>
      )}
      {asked.map(({ taskId, from, debt, neededOn }) => (
        <p key={taskId}>
          {from && neededOn && debt !== null
            ? t('rates.asked.by', { from: formatDay(from), debt, day: formatDay(neededOn) })
            : t('rates.asked')}{' '}
          <a href={hashOf({ view: 'tasks', id: taskId })}>{t('rates.open_task')}</a>
        </p>
      ))}
      {proposed.map((one) => (
        <div key={one.id} className={css.news}>
          <h3>{t('rates.waits', { day: formatDay(one.from) })}</h3>
          <Values country={country} value={one} />
          <p>
            {one.source}. {t('rates.by', { name: one.proposedBy, when: momentText(one.proposedAt) })}{' '}
            <a href={hashOf({ view: 'proposals', id: one.id })}>{t('todo.open_proposal')}</a>
          </p>
        </div>
      ))}
      <Enter key={task ?? ''} country={country} figure={figure} today={today} task={task} />
      <History country={country} figure={figure} />
    </section>
  )
}

function Values({ country, value }: { country: Country; value: FigureValue }) {
  const texts = valueTexts(country, value)
  return (
    <ul className={css.values}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

function Row({ country, row, isHalfYearly }: { country: Country; row: FigureRow; isHalfYearly: boolean }) {
  const { from, source, enteredBy, agreedBy, agreedAt } = row
  const since = from === null ? t('rates.always') : formatDay(from)
  return (
    <>
      <Values country={country} value={row} />
      <Facts
        rows={[
          {
            id: 'from',
            name: t('rates.from'),
            value: isHalfYearly ? `${since} (${t('rates.each_half')})` : since,
          },
          { id: 'source', name: t('rates.source'), value: <Source text={source} /> },
          { id: 'entered', name: t('rates.entered_by'), value: enteredBy },
          {
            id: 'agreed',
            name: t('payee.agreed_by'),
            value: agreedBy && agreedAt && `${agreedBy}, ${momentText(agreedAt)}`,
          },
        ]}
      />
    </>
  )
}

/** An address in it can be opened. */
function Source({ text }: { text: string }) {
  const [before = '', address, after = ''] = text.split(/(https:\/\/[^\s,;)]+)/)
  if (address === undefined) return text
  return (
    <>
      {before}
      <a href={address} target="_blank" rel="noreferrer">
        {address}
      </a>
      {after}
    </>
  )
}

type EnterProps = Pick<SectionProps, 'country' | 'figure' | 'today' | 'task'>

/** Only whoever may enter sees the form; what a task asks for stands in it. */
function Enter({ country, figure, today, task }: EnterProps) {
  const may = useRight('rates') && !isClosed(country.country, figure.figure)
  const of = { country, figure, today }
  const asked = figure.asked.find(({ taskId }) => taskId === task)
  const [form, setForm] = useState(() => (may && asked ? figureForm(of, asked.from ?? undefined) : undefined))
  if (!may) return null
  const close = () => setForm(undefined)
  const commit = async (values: Readonly<Record<string, string>>) => {
    const asked = withTicks(figureOf(of, values), values)
    try {
      await proposeFigure(asked)
    } catch (error) {
      const doubt = doubtOf(error)
      if (doubt) setForm((before) => before && withDoubt(before, doubt, { country, figure, asked }))
      throw error
    }
  }
  return (
    <div className={css.act}>
      <OfficeButton onClick={() => setForm(figureForm(of, figure.asked[0]?.from ?? undefined))}>
        {t('rates.enter')}
      </OfficeButton>
      {form && (
        <ActDialog
          form={form}
          onCommit={commit}
          remedyFor={remedyFor}
          onClose={close}
          onDone={() => {
            close()
            for (const key of [FIGURES_KEY, 'tasks', 'proposals'])
              void queries.invalidateQueries({ queryKey: [key] })
          }}
        />
      )}
    </div>
  )
}

/** All that is known of it, the newest first. */
function History({ country, figure }: { country: Country; figure: Figure }) {
  const { rows } = figure
  if (rows.length === 0) return null
  return (
    <details className={css.history}>
      <summary>{t('rates.history', { count: rows.length })}</summary>
      <ul className={css.rows}>
        {rows.map((row, index) => (
          <li key={`${row.from ?? ''} ${index}`}>
            <span className={css.when}>
              {row.from === null ? t('rates.always') : formatDay(row.from, 'short')}
            </span>
            <span className={css.what}>
              <Values country={country} value={row} />
              {row.enteredBy !== null && (
                <span className={css.quiet}>
                  {row.source}.{' '}
                  {t('rates.agreed', {
                    name: row.enteredBy,
                    other: row.agreedBy ?? '',
                    when: row.agreedAt === null ? '' : momentText(row.agreedAt),
                  })}
                </span>
              )}
            </span>
            <span>{t(`rates.row.${row.state}`)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
