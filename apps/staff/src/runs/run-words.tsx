import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { stepText } from '../shell/steps.ts'
import { t, type MessageId } from '../text.ts'
import type { Run } from './run-calls.ts'

const TONES: Readonly<Record<Run['status'], ChipTone>> = {
  ASKED: 'outline',
  RUNNING: 'accent',
  DONE: 'ok',
  WAITS: 'warn',
  FAILED: 'bad',
  CUT_OFF: 'bad',
}

export function RunChip({ status }: { status: Run['status'] }) {
  return <Chip tone={TONES[status]}>{t(`run.status.${status}`)}</Chip>
}

const MINUTE_MS = 60_000

/** "0.4 sec", "12 min": as long as matters. */
export function tookText(ms: number | null): string {
  if (ms === null) return '–'
  const isLong = ms >= 2 * MINUTE_MS
  return new Intl.NumberFormat(currentLanguage(), {
    style: 'unit',
    unit: isLong ? 'minute' : 'second',
    unitDisplay: 'short',
    maximumFractionDigits: isLong || ms >= 10_000 ? 0 : 1,
  }).format(ms / (isLong ? MINUTE_MS : 1000))
}

/** What is no step, or is called otherwise as a step to come. */
const SORTS: Readonly<Record<string, MessageId>> = {
  HAND_OVERS: 'run.done.HAND_OVERS',
  PLANS: 'run.done.PLANS',
  SETTLEMENTS: 'run.done.SETTLEMENTS',
  STEPS: 'run.done.STEPS',
  SCHEDULE_END: 'run.done.SCHEDULE_END',
}

/** What was done of one sort, as it is called in a list. */
function sortText(name: string): string {
  const own = SORTS[name]
  return own ? t(own) : stepText(name)
}

/** Each sort with how much of it was done, the most first. */
export function doneOf({
  done,
}: Run): readonly { readonly name: string; readonly text: string; readonly n: number }[] {
  return Object.entries(done)
    .map(([name, n]) => ({ name, text: sortText(name), n }))
    .sort((a, b) => b.n - a.n)
}

/** The same in a line. */
export function doneText(run: Run): string {
  const parts = doneOf(run).map(({ text, n }) => `${text} ${formatCount(n)}`)
  return parts.length === 0 ? t('run.nothing') : parts.join(', ')
}
