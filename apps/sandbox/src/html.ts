import { createHash } from 'node:crypto'

/** Text made safe for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** The Content-Security-Policy source that allows exactly this inline style or script. */
export function hashSource(inline: string): string {
  return `'sha256-${createHash('sha256').update(inline).digest('base64')}'`
}

/** "1 234,50": decimal comma and no-break spaces between thousands, from decimal text with a point. */
export function amountText(amount: string): string {
  const [whole = '0', decimals = '00'] = amount.split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0')},${decimals}`
}

/** A reference in groups of four that stay on one line, as HTML; what is copied has no spaces. */
export function renderReference(reference: string): string {
  if (!/^\d{7,25}$/.test(reference)) return escapeHtml(reference)
  const groups = reference.match(/\d{1,4}/g) ?? []
  return `<span class="fours">${groups.map((group) => `<span>${group}</span>`).join('')}</span>`
}

/** A calendar day in words of a language, such as "Fri 20 Nov 2026". */
export function dayText(day: string, language: string, shape: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...shape }).format(new Date(`${day}T00:00:00Z`))
}

/** The time of day of an instant in Stockholm: "12:04", or "12:04:12" with seconds. */
export function timeText(instantMs: number, withSeconds: boolean): string {
  const style = withSeconds ? 'medium' : 'short'
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm', timeStyle: style }).format(
    instantMs,
  )
}
