import { callTo } from '@kvitt/ui/api.ts'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { useEffect } from 'react'
import { api } from '../calls.ts'
import { t } from '../text.ts'
import { withWords } from '../words.ts'
import { viewProblem, type Peek } from './open-view.ts'
import css from './peek-banner.module.css'

/** So that it is over by the server's clock as well. */
const AFTER_MS = 2000

const timeOf = (at: string): string =>
  new Date(at).toLocaleTimeString(currentLanguage(), { hour: '2-digit', minute: '2-digit' })

/** The day too, so that it is read alike in every language: what is printed is looked at later. */
const momentOf = (at: string): string =>
  new Date(at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })

/** More than fit on a large screen, or on a sheet. */
const LINES = 40
const TIMES_A_LINE = 24

/**
 * Over the whole page, on every sheet of paper too, that it was staff who looked. The banner says it: nobody has it read to them again, it
 * takes no press, and no search in the page finds it.
 */
function Mark({ text }: { text: string }) {
  const line = `${text} · `.repeat(TIMES_A_LINE)
  return (
    <div className={css.mark} aria-hidden="true">
      <div>
        {Array.from({ length: LINES }, (_, at) => (
          <span key={at} data-text={line} />
        ))}
      </div>
    </div>
  )
}

/** The banner's own, on the start page too. */
export const words = (): Promise<unknown> => withWords(Promise.resolve())

// One file to fetch: whoever opens a view shows this next.
export { openView } from './open-view.ts'

function readPeek(): Peek | undefined {
  const kept = sessionStorage.getItem('peek')
  return kept === null ? undefined : (JSON.parse(kept) as Peek)
}

/** Asks as soon as the view is over: the server's refusal takes all that is shown away, as it does at the next press. */
function useEnd(endsAt: string | undefined): void {
  useEffect(() => {
    if (endsAt === undefined) return
    const ask = () => void api.ask(callTo('GET', '/debtor/session')).catch(() => {})
    const timer = setTimeout(ask, Math.max(0, Date.parse(endsAt) - Date.now()) + AFTER_MS)
    return () => clearTimeout(timer)
  }, [endsAt])
}

/** Says on every page who looks, as whom and until when; or why a view could not be opened. */
export default function PeekBanner({ peek = readPeek() }: { peek?: Peek | undefined }) {
  useEnd(peek?.endsAt)
  const problem = viewProblem()
  if (!peek && problem === undefined) return null
  return (
    <section className={css.place} aria-label={t('peek.label')}>
      <p className={css.bar}>
        <Icon name="info" size={20} />
        <span>
          {peek
            ? t('peek.banner', { staff: peek.staff, debtor: peek.debtor, time: timeOf(peek.endsAt) })
            : problem || t('peek.not_opened')}
        </span>
      </p>
      {peek && <Mark text={t('peek.mark', { time: momentOf(peek.openedAt) })} />}
    </section>
  )
}
