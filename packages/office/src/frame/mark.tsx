import css from './mark.module.css'

/** The provider's sign, or two equal bars: the double rule under a final sum. */
export function Mark({ logo }: { logo?: string | undefined }) {
  if (logo) {
    return <img className={css.logo} src={`/api/storage/${encodeURIComponent(logo)}`} alt="" height={28} />
  }
  return (
    <svg className={css.mark} width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">
      <rect className={css.plate} width="28" height="28" rx="7" />
      <path className={css.bars} d="M7.5 10.5h13v2.5h-13zM7.5 17h13v2.5h-13z" transform="translate(0 -1)" />
    </svg>
  )
}
