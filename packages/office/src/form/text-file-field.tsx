import { t } from '../text.ts'
import { OfficeField } from './office-field.tsx'
import css from './office-field.module.css'
import type { FieldProps } from './use-fields.ts'

/** More is no certificate and no key; a browser would hold all of it. */
const LARGEST_BYTES = 20_000

type TextFileFieldProps = FieldProps & { label: string; hint?: string | undefined }

/** A text that is pasted, or taken from a file that is chosen. */
export function TextFileField(props: TextFileFieldProps) {
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return
    props.onValue(file.size > LARGEST_BYTES ? t('form.file_too_large') : await file.text())
  }
  return (
    <div className={css.textFile}>
      <OfficeField {...props} look="area" />
      <label className={css.chooseFile}>
        <input
          type="file"
          className="spoken"
          aria-label={`${props.label}: ${t('form.choose_file')}`}
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0])
            // The same file can be chosen again.
            currentTarget.value = ''
          }}
        />
        {t('form.choose_file')}
      </label>
    </div>
  )
}
