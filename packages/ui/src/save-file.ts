import type { FileAnswer } from './api.ts'

/** The name with all its letters, else the one without them (RFC 6266). */
export function fileNameOf(written: string): string | undefined {
  const whole = /filename\*=UTF-8''([^;]+)/.exec(written)?.[1]
  try {
    if (whole) return decodeURIComponent(whole)
  } catch {
    // A broken escape: the plain name will do.
  }
  return /filename="([^"]+)"/.exec(written)?.[1]
}

/** Hands a fetched file to the browser's downloads, under the server's name for it when there is one. */
export function saveFile({ blob, disposition }: FileAnswer, fallbackName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileNameOf(disposition) ?? fallbackName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
