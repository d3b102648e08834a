import { useState } from 'react'
import { createPortal } from 'react-dom'
import { latePage } from '../late-page.tsx'
import { t } from '../text.ts'
import { withMoreWords } from '../words.ts'
import { LateDialogFailed } from './late-part-failed.tsx'
import css from './trust-link.module.css'

const TrustDialog = latePage(() => withMoreWords(import('./trust-dialog.tsx')), { failed: LateDialogFailed })

/** Answers in a dialog whether a message is genuine, or why it came; nobody has to log in for it (design rule 12). */
export function TrustLink({ about }: { about: 'trust.genuine' | 'trust.why' }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={css.link} onClick={() => setOpen(true)}>
        {t(about)}
      </button>
      {isOpen && createPortal(<TrustDialog about={about} onClose={() => setOpen(false)} />, document.body)}
    </>
  )
}
