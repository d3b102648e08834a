import { readyDays } from '../date-text.ts'
import type { Language } from '../language/languages.ts'

/** What an invoice or a claim begins with is set in: the amount and its öre, a heading, and what is small. */
const TYPE = [
  '600 var(--t-amount)',
  '500 calc(2.75rem * 0.62)',
  '600 var(--t-h2)',
  '600 var(--t-sm)',
  '500 var(--t-sm)',
  '400 var(--t-sm)',
]

/**
 * Does while the data of a page are awaited what a browser takes long for when it is first asked: its languages, a
 * language's days, and each size of type that it has to ask the system for. Each in a task of its own, so that a press
 * waits for one of them at most, and the page's first layout for none.
 */
export async function readyPage(language: Language): Promise<void> {
  // There a browser lets one task a second run, and nobody waits for a layout.
  if (document.hidden) return
  const sample = document.createElement('span')
  sample.textContent = '0'
  document.body.append(sample)
  const layOut = (type: string) => {
    sample.style.cssText = `position:absolute;visibility:hidden;font:${type} var(--font)`
    sample.getBoundingClientRect()
  }
  const steps = [() => new Intl.Collator(language), () => readyDays(language)]
  for (const step of [...steps, ...TYPE.map((type) => () => layOut(type))]) {
    await new Promise((resolve) => setTimeout(resolve))
    step()
  }
  sample.remove()
}
