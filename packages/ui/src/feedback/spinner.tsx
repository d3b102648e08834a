import css from './spinner.module.css'

type SpinnerProps = {
  /** In the brand's colour, else in that of the words beside it. */
  look?: 'brand'
  size?: 'large'
}

/** A ring that turns while something is waited for. Words beside it say what. */
export function Spinner({ look, size }: SpinnerProps) {
  return <span className={css.ring} data-look={look} data-size={size} aria-hidden="true" />
}
