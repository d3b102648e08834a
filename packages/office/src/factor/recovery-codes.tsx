import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { saveFile } from '@kvitt/ui/save-file.ts'
import { useEffect, useRef, useState } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import css from './factor.module.css'

type CodesProps = {
  codes: readonly string[]
  onKept: () => void
}

/** Recovery codes, shown this once: copied, saved as a file, and only then left. */
export function RecoveryCodes({ codes, onKept }: CodesProps) {
  const [copied, setCopied] = useState<boolean>()
  const list = useRef<HTMLUListElement>(null)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  const text = codes.join('\n')
  const copy = async () => {
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    // Where a page may not write to the clipboard, the codes are marked.
    if (!isDone && list.current) getSelection()?.selectAllChildren(list.current)
    setCopied(isDone)
  }
  const save = () => {
    const lines = [t('factor.file_head', { host: location.host }), '', ...codes, '']
    const blob = new Blob([lines.join('\r\n')], { type: 'text/plain;charset=utf-8' })
    saveFile({ blob, disposition: '' }, t('factor.file_name'))
  }
  return (
    <div className={css.stack}>
      <MessageBox tone="warn" ref={box} heading={t('factor.codes_once')}>
        {t('factor.codes_text')}
      </MessageBox>
      <ul className={css.codes} ref={list} aria-label={t('factor.codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={css.acts}>
        <OfficeButton onClick={() => void copy()}>{t('factor.copy')}</OfficeButton>
        <OfficeButton onClick={save}>{t('factor.save')}</OfficeButton>
      </div>
      <p role="status">{copied === undefined ? '' : t(copied ? 'factor.copied' : 'factor.copy_failed')}</p>
      <div className={css.acts}>
        <OfficeButton look="primary" size="large" onClick={onKept}>
          {t('factor.kept')}
        </OfficeButton>
      </div>
    </div>
  )
}
