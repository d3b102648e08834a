import { parseHex } from '@kvitt/domain/instances/colour.ts'
import { computePalette, type Palette } from '@kvitt/domain/instances/palette.ts'
import type { CSSProperties } from 'react'
import { t } from '../text.ts'
import css from './instance-provider-page.module.css'

type ColourVerdictsProps = { primary: string; button: string }

/** What becomes of the colours where they carry text or are text, in both themes: as the page of a debtor will have them. */
export function ColourVerdicts({ primary, button }: ColourVerdictsProps) {
  const chosen = { primary: parseHex(primary.trim()), button: parseHex(button.trim()) }
  if (!chosen.primary || !chosen.button) return null
  const palette = computePalette({ primary: chosen.primary, button: chosen.button })
  return (
    <ul className={css.samples} aria-label={t('provider.samples')}>
      {(['light', 'dark'] as const).map((theme) => (
        <Sample key={theme} theme={theme} palette={palette} primary={chosen.primary} button={chosen.button} />
      ))}
    </ul>
  )
}

type SampleProps = {
  theme: 'light' | 'dark'
  palette: Palette
  primary: string | undefined
  button: string | undefined
}

function Sample({ theme, palette, primary, button }: SampleProps) {
  const isDark = theme === 'dark'
  const fill = isDark ? palette.fillDark : palette.fill
  const ink = isDark ? palette.inkDark : palette.inkLight
  const colours = {
    '--sample-fill': fill,
    '--sample-on': isDark ? palette.onFillDark : palette.onFill,
    '--sample-ink': ink,
  } as CSSProperties
  return (
    <li>
      <p className={css.theme}>{t(`provider.theme.${theme}`)}</p>
      <div className={css.sample} data-ground={theme} style={colours}>
        <span className={css.fill}>{t('provider.sample.button')}</span>
        <span className={css.ink}>{t('provider.sample.link')}</span>
      </div>
      <p className={css.verdict}>{verdictOf('button', fill, button)}</p>
      <p className={css.verdict}>{verdictOf('link', ink, primary)}</p>
    </li>
  )
}

/** A colour that cannot be read is moved to the nearest that can. */
function verdictOf(use: 'button' | 'link', shown: string, chosen: string | undefined): string {
  const name = t(`provider.sample.${use}`)
  return shown === chosen
    ? t('provider.verdict.kept', { use: name })
    : t('provider.verdict.moved', { use: name, colour: shown })
}
