import css from './skeleton.module.css'

/** A quiet block in the final size of what is coming; in a page that is there, invisible for the first 200 ms. Sizes in rem. */
export function Skeleton({ width, height }: { width?: number; height: number }) {
  return (
    <span
      className={css.block}
      aria-hidden="true"
      style={{ width: width === undefined ? '100%' : `${width}rem`, height: `${height}rem` }}
    />
  )
}
