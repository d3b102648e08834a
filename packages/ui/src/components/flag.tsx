import type { Country } from '../language/languages.ts'

const STAR_ANGLES = [0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330]

/**
 * Three Nordic crosses are two strokes on a field; a cross with an inner cross has two widths. A field that is white
 * in truth is grey: it could not be seen on a white page.
 */
const CROSSES = {
  SE: { field: '#006aa7', outer: '#fecc00', inner: '#fecc00', wide: 2.8, narrow: 2.8 },
  NO: { field: '#ba0c2f', outer: '#fff', inner: '#00205b', wide: 3.6, narrow: 1.8 },
  DK: { field: '#c8102e', outer: '#fff', inner: '#fff', wide: 2, narrow: 2 },
  FI: { field: '#dde', outer: '#002f6c', inner: '#002f6c', wide: 3.8, narrow: 3.8 },
} as const

function EuropeanStars() {
  return STAR_ANGLES.map((angle) => (
    <circle key={angle} cx="10.5" cy="2.8" r=".75" fill="#fc0" transform={`rotate(${angle} 10.5 7)`} />
  ))
}

/** A flag as decoration: the language stands beside it in words. */
export function Flag({ country }: { country: Country['code'] }) {
  if (country === 'EU') {
    return (
      <svg className="flag" viewBox="0 0 21 14" aria-hidden="true">
        <path fill="#039" d="M0 0h21v14H0z" />
        <EuropeanStars />
      </svg>
    )
  }
  const { field, outer, inner, wide, narrow } = CROSSES[country]
  return (
    <svg className="flag" viewBox="0 0 21 14" aria-hidden="true">
      <path fill={field} d="M0 0h21v14H0z" />
      <path d="M7.5 0v14M0 7h21" stroke={outer} strokeWidth={wide} />
      <path d="M7.5 0v14M0 7h21" stroke={inner} strokeWidth={narrow} />
    </svg>
  )
}
