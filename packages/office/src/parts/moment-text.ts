import { formatDay } from '@kvitt/ui/date-text.ts'

/**
 * Day and time on the clock of whoever reads, "20 Nov 14:05:09": which of two entries came first is a matter of seconds.
 * @param instant ISO 8601
 */
export function momentText(
  instant: string,
  { hasSeconds = false }: { readonly hasSeconds?: boolean } = {},
): string {
  const at = new Date(instant)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const seconds = hasSeconds ? `:${two(at.getSeconds())}` : ''
  return `${formatDay(day, 'short')} ${two(at.getHours())}:${two(at.getMinutes())}${seconds}`
}
