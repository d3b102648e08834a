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
 * Asks while the data of a page are awaited for each size of type that a browser has to ask the system for. Each in a task of
 * its own, so that a press waits for one of them at most, and the page's first layout for none.
 */
export async function readyPage(): Promise<void> {
  // There a browser lets one task a second run, and nobody waits for a layout.
  if (document.hidden) return
  const sample = document.createElement('span')
  sample.textContent = '0'
  document.body.append(sample)
  for (const type of TYPE) {
    await new Promise((resolve) => setTimeout(resolve))
    sample.style.cssText = `position:absolute;visibility:hidden;font:${type} var(--font)`
    sample.getBoundingClientRect()
  }
  sample.remove()
}
