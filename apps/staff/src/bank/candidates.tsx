import { Figure } from '@kvitt/office/parts/figure.tsx'
import { KeyCap } from '@kvitt/office/parts/key-cap.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { t } from '../text.ts'
import type { Candidate, SuspendedCase } from './bank-calls.ts'
import css from './bank.module.css'

type CandidatesProps = { one: SuspendedCase; chosen: string; onChoose: (id: string) => void }

/** Debts that it may be meant for, with what speaks for each; those that it cannot be placed on say why. */
export function Candidates({ one: { candidates }, chosen, onChoose }: CandidatesProps) {
  const open = candidates.filter(({ refusal }) => refusal === null)
  return (
    <fieldset className={css.candidates}>
      <legend className={css.head}>{t('bank.where')}</legend>
      {candidates.length === 0 && <p className={css.note}>{t('bank.no_candidates')}</p>}
      {candidates.map((each) => (
        <label key={each.id} className={css.candidate} data-chosen={each.id === chosen || undefined}>
          <input
            type="radio"
            name="candidate"
            checked={each.id === chosen}
            disabled={each.refusal !== null}
            onChange={() => onChoose(each.id)}
          />
          <span className={css.about}>
            <span>
              <strong>{each.number}</strong> {aboutOf(each)}
            </span>
            <span className={css.note}>
              {[
                ...each.evidence.map((kind) => `✓ ${t(`bank.evidence.${kind}`)}`),
                ...(each.refusal === null ? [] : [`× ${t(`bank.refusal.${each.refusal}`)}`]),
              ].join('  ')}
            </span>
          </span>
          <span className={css.owed}>
            <Figure minor={minorOf(each.owed)} currency={each.currency} />
          </span>
          {each.refusal === null && <KeyCap>{String(open.indexOf(each) + 1)}</KeyCap>}
        </label>
      ))}
    </fieldset>
  )
}

const aboutOf = ({ debtor, creditor, dueDate }: Candidate): string =>
  [debtor.name, creditor.name, dueDate && formatDay(dueDate, 'short')].filter(Boolean).join(' · ')
