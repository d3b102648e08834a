/** Somebody who has a keyboard and nothing else: where the focus is, whether it can be seen, and how one gets on. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** What has the focus; undefined when nothing has. */
export type Stop = {
  readonly name: string
  /** From the top of the page, in pixels. */
  readonly top: number
  /** Stands still while the page moves. */
  readonly isFixed: boolean
  readonly isInDialog: boolean
  /** Why it cannot be seen. */
  readonly faults: readonly string[]
}

/** No screen has more places to stop at. */
const MOST_STOPS = 150
const TOLERANCE = 24

/** A browser scrolls after it has moved the focus, and a page may still be opening what was pressed: looked at for a second. */
export async function readStop(page: Page): Promise<Stop | undefined> {
  let stop = await lookAtStop(page)
  for (let looks = 0; looks < 20 && stop !== undefined && stop.faults.length > 0; looks += 1) {
    await page.waitForTimeout(50)
    stop = await lookAtStop(page)
  }
  return stop
}

function lookAtStop(page: Page): Promise<Stop | undefined> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body || element === document.documentElement) return undefined
    const around: (Element | null)[] = [element, element.nextElementSibling]
    for (let at = element.parentElement; at && around.length < 6; at = at.parentElement) around.push(at)
    const ringed = around.find((at) => {
      if (!at) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(at)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    })
    const isHeading = /^(?:H[1-6]|MAIN)$/.test(element.tagName)
    const shown = ringed ?? element
    const box = element.getBoundingClientRect()
    const faults: string[] = []
    if (!ringed && !isHeading) faults.push('has no ring')
    if (box.width < 2 || box.height < 2) faults.push('has no size')
    // Of what is high the beginning has to be in sight, of a field the line that is written on.
    const line = element.getClientRects()[0] ?? box
    const middle = line.top + Math.min(line.height / 2, 24)
    if (isHeading) {
      // It is where one has come; what is pressed next is shown.
    } else if (middle < 0 || middle > innerHeight) {
      faults.push('is out of sight')
    } else {
      const on = document.elementFromPoint(line.left + line.width / 2, middle)
      const isCovered = on !== null && !shown.contains(on) && !on.contains(element)
      if (isCovered) faults.push(`is covered by ${on.tagName} ${on.className}`)
    }
    let isFixed = false
    for (let at: Element | null = element; at; at = at.parentElement) {
      if (['fixed', 'sticky'].includes(getComputedStyle(at).position)) isFixed = true
    }
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    const text = [element.getAttribute('aria-label'), ...labels.map((l) => l.innerText), element.textContent]
    const words = text
      .find((words) => words?.trim())
      ?.replaceAll(/\s+/g, ' ')
      .trim()
    return {
      name: `${element.tagName.toLowerCase()} "${words?.slice(0, 60) ?? ''}"`,
      top: box.top + scrollY,
      isFixed,
      isInDialog: element.closest('dialog, [popover]') !== null,
      faults,
    }
  })
}

const isFocused = (element: Element): boolean => element === document.activeElement

/** The next Tab begins at the top of the page. */
export async function beginAtTop(page: Page): Promise<void> {
  await page.evaluate(() => {
    scrollTo(0, 0)
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
}

/** Tab from where one is until nothing more comes; every stop, in its order. */
export async function walk(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = []
  for (let i = 0; i < MOST_STOPS; i += 1) {
    await page.keyboard.press('Tab')
    const stop = await readStop(page)
    const [first] = stops
    if (!stop || (first && stop.name === first.name && stop.top === first.top)) return stops
    stops.push(stop)
  }
  throw new Error(`Tab never comes to an end: ${stops.map(({ name }) => name).join()}`)
}

/** What is wrong with the stops of a page that has one column: what cannot be seen, and where the way jumps back up. */
export function faultsOf(stops: readonly Stop[]): string[] {
  return stops.flatMap((stop, index) => {
    const before = stops[index - 1]
    const jumps = before && !before.isFixed && !stop.isFixed && stop.top < before.top - TOLERANCE
    return [
      ...stop.faults.map((fault) => `${stop.name} ${fault}`),
      ...(jumps ? [`${stop.name} comes after ${before.name}, and stands above it`] : []),
    ]
  })
}

/** Tab, or back with `key`, until `target` has the focus. */
export async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const page = target.page()
  await target.waitFor()
  const passed: string[] = []
  for (let i = 0; i < MOST_STOPS; i += 1) {
    if (await target.evaluate(isFocused)) return
    await page.keyboard.press(key)
    const stop = await readStop(page)
    passed.push(stop?.name ?? 'the end')
    expect(stop?.faults ?? [], stop?.name).toEqual([])
  }
  throw new Error(`Tab does not lead to ${target.toString()}, only to ${passed.join(', ')}`)
}

/** Goes there and presses; afterwards something has the focus. */
export async function pressOn(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  const page = target.page()
  await tabTo(target)
  await page.keyboard.press(key)
  await expectFocus(page, `${key} on ${target.toString()}`)
}

/** With the arrows, as radios are chosen. */
export async function choose(radio: Locator): Promise<void> {
  const page = radio.page()
  await radio.waitFor()
  const name = (await radio.getAttribute('name')) ?? ''
  await tabTo(page.locator(`input[name="${name}"]:checked:visible`))
  for (let i = 0; i < 10; i += 1) {
    if (await radio.isChecked()) {
      expect((await readStop(page))?.faults).toEqual([])
      return
    }
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`The arrows do not lead to ${radio.toString()}`)
}

/** The focus is somewhere: what had it may have gone, but then something else has taken it. */
export async function expectFocus(page: Page, after: string): Promise<void> {
  const nameOf = async () => (await readStop(page).catch(() => undefined))?.name
  await expect.poll(nameOf, { message: `focus after ${after}`, timeout: 5_000 }).toBeTruthy()
}
