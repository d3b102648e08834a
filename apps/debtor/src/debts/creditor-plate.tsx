import { useState } from 'react'
import { storageUrl } from '../instance.ts'
import css from './creditor-plate.module.css'

/** The creditor's mark on a white plate; its first letter when there is none. */
export function CreditorPlate(props: { name: string; logo: string | null; isSmall?: boolean }) {
  const { name, logo, isSmall = false } = props
  const size = isSmall ? 20 : 28
  const [isBroken, setBroken] = useState(false)
  return (
    <span className={css.plate} data-small={isSmall || undefined} aria-hidden="true">
      {logo && !isBroken ? (
        <img src={storageUrl(logo)} alt="" width={size} height={size} onError={() => setBroken(true)} />
      ) : (
        name.slice(0, 1).toUpperCase()
      )}
    </span>
  )
}
