import { FILE_TYPES } from '@kvitt/domain/disputes/dispute-file.ts'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { FileField } from '@kvitt/ui/form/file-field.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { t } from '../text.ts'
import css from './file-picker.module.css'
import { FILE_LIMITS, type Outgoing, type OutgoingFiles } from './outgoing.ts'

const MEGABYTE = 1_000_000

/** "340 kB", "2,4 MB". */
export function fileSizeText(bytes: number): string {
  const isLarge = bytes >= MEGABYTE / 10
  const value = isLarge ? bytes / MEGABYTE : Math.max(1, bytes / 1000)
  return new Intl.NumberFormat(currentLanguage(), {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(value)
}

type PickerProps = {
  label: string
  outgoing: OutgoingFiles
  onChoose: (files: readonly File[]) => void
}

/** A field for files, with those that were chosen and why others were not taken up. */
export function FilePicker({ label, outgoing, onChoose }: PickerProps) {
  return (
    <FileField
      label={label}
      hint={t('files.hint', FILE_LIMITS)}
      choose={t('files.choose')}
      accept={FILE_TYPES}
      onChoose={onChoose}
    >
      <span role="alert">
        {outgoing.refused.map((why) => (
          <span className={css.refused} key={why}>
            <Icon name="alert" size={16} />
            <span>{why}</span>
          </span>
        ))}
      </span>
      <OutgoingList outgoing={outgoing} />
    </FileField>
  )
}

/** Each file with what has become of it. */
export function OutgoingList({ outgoing: { files, remove } }: { outgoing: OutgoingFiles }) {
  if (files.length === 0) return null
  return (
    <ul className={css.list} aria-label={t('files.chosen')}>
      {files.map((file) => (
        <li key={file.id} className={css.file}>
          <span className={css.name}>{file.file.name}</span>
          <State outgoing={file} />
          {(file.state === 'waiting' || file.state === 'failed') && (
            <button
              type="button"
              className={css.remove}
              aria-label={t('files.remove', { name: file.file.name })}
              onClick={() => remove(file.id)}
            >
              <Icon name="close" size={20} />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function State({ outgoing: { file, state, share, why } }: { outgoing: Outgoing }) {
  const { name } = file
  switch (state) {
    case 'sending':
      return <progress className={css.progress} value={share} aria-label={t('files.sending', { name })} />
    case 'failed':
      return <span className={css.failed}>{t('files.not_sent', { name, why })}</span>
    case 'sent':
      return (
        <span className={css.sent}>
          <Icon name="check" size={16} />
          {t('files.sent')}
        </span>
      )
    case 'waiting':
      return <span className={css.size}>{fileSizeText(file.size)}</span>
  }
}
