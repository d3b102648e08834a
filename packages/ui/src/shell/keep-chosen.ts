/**
 * What one chooses stays where it is, though what the choice before it had opened closes above it. A browser holds on
 * to some part of the page by itself (scroll anchoring), but that may be the very part that closes.
 */
export function keepChosen(): void {
  addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return
      const { top } = target.getBoundingClientRect()
      const hold = () => scrollBy(0, target.getBoundingClientRect().top - top)
      requestAnimationFrame(() => {
        hold()
        // A column that stands still while the page moves learns its height, and so its place, after that.
        requestAnimationFrame(hold)
      })
    },
    true,
  )
}
