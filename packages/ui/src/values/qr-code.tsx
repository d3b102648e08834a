import { encode } from 'uqr'
import css from './qr-code.module.css'

/** Each run of dark modules of a row as one rectangle of the path. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  let path = ''
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue
      const start = x
      while (row[x + 1]) x++
      path += `M${start} ${y}h${x + 1 - start}v1H${start}z`
    }
  }
  return path
}

/**
 * A code for another device: black on white in every theme, with the quiet zone of four modules that readers
 * need. `size` in CSS pixels with that zone; `label` says what it is for, not what it contains.
 */
export default function QrCode({ text, size, label }: { text: string; size: number; label: string }) {
  const { data, size: modules } = encode(text, { ecc: 'L', border: 4 })
  return (
    <svg
      className={css.code}
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      role="img"
      aria-label={label}
    >
      <path fill="#fff" d={`M0 0h${modules}v${modules}H0z`} />
      <path fill="#000" d={pathOf(data)} />
    </svg>
  )
}
