import type { FileAnswer } from './api.ts'

/** Hands a fetched file to the browser's downloads, under the server's name for it when there is one. */
export function saveFile({ blob, fileName }: FileAnswer, fallbackName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName ?? fallbackName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
