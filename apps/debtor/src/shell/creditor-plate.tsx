import { useState } from 'react'
import { storageUrl } from '../instance.ts'
import css from './creditor-plate.module.css'

/** The creditor's mark on a white plate; its first letter when there is none. */
export function CreditorPlate({ name, logo }: { name: string; logo: string | null }) {
  const [isBroken, setBroken] = useState(false)
  return (
    <span className={css.plate} aria-hidden="true">
      {logo && !isBroken ? (
        <img src={storageUrl(logo)} alt="" width={28} height={28} onError={() => setBroken(true)} />
      ) : (
        name.slice(0, 1).toUpperCase()
      )}
    </span>
  )
}
