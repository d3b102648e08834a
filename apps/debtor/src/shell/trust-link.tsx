import { showToast } from '@kvitt/ui/components/toast.tsx'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { latePage } from '../late-page.tsx'
import { t } from '../text.ts'
import { withMoreWords } from '../words.ts'
import css from './trust-link.module.css'

const TrustDialog = latePage(() => withMoreWords(import('./trust-dialog.tsx')))

/** Answers in a dialog whether a message is genuine, or why it came; nobody has to log in for it (design rule 12). */
export function TrustLink({ about }: { about: 'trust.genuine' | 'trust.why' }) {
  const [isOpen, setOpen] = useState(false)
  const open = () =>
    void TrustDialog.load().then(
      () => setOpen(true),
      () => showToast(t('server_down.title'), true),
    )
  return (
    <>
      <button type="button" className={css.link} onClick={open}>
        {t(about)}
      </button>
      {isOpen && createPortal(<TrustDialog about={about} onClose={() => setOpen(false)} />, document.body)}
    </>
  )
}
