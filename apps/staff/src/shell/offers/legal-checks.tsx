import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import type { Check } from './preview-calls.ts'
import css from './setting-preview.module.css'
import { percentText, placeName } from './setting-words.ts'
import { t } from '../../text.ts'

const TONES: Readonly<Record<Check['code'], ChipTone>> = {
  free: 'ok',
  rate_within: 'ok',
  rate_above: 'bad',
  ceiling_unknown: 'bad',
  ceiling_assumed: 'warn',
  cost_within: 'ok',
  cost_above_below: 'warn',
  cost_above: 'bad',
  cost_unlimited: 'ok',
  no_tick: 'warn',
  no_terms: 'warn',
}

/** What the law of each country makes of the terms, for a person who owes. */
export function LegalChecks({ checks, currency }: { checks: readonly Check[]; currency: string }) {
  if (checks.length === 0) return null
  return (
    <section className={css.checks} aria-labelledby="legal-checks">
      <h3 id="legal-checks">{t('setting.checks')}</h3>
      <ul>
        {checks.map(({ country, code, ceiling, below }) => (
          <li key={`${country} ${code}`}>
            <Chip tone={TONES[code]}>{t(`setting.tone.${TONES[code] as 'ok' | 'warn' | 'bad'}`)}</Chip>
            <span>
              {placeName(country)}:{' '}
              {t(`setting.check.${code}`, {
                ceiling: ceiling === null ? '' : percentText(ceiling),
                balance: below === null ? '' : formatMoney(minorOf(below), currency, currentLanguage()),
              })}
            </span>
          </li>
        ))}
      </ul>
      <p className={css.quiet}>{t('setting.checks.company')}</p>
    </section>
  )
}
