import { useEffect, useRef, type ReactNode } from 'react'
import { OfficeIcon } from '../parts/office-icon.tsx'
import { t } from '../text.ts'
import css from './list-tools.module.css'

/** How long after the last letter the list is asked for. */
const PAUSE_MS = 300

type ToolsProps = {
  text: string
  placeholder: string
  onText: (text: string) => void
  /** At the end of the line, such as the files of the list. */
  more?: ReactNode
}

/** The search over a list. */
export function ListTools({ text, placeholder, onText, more }: ToolsProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // What came from elsewhere, such as the search of the sidebar; what is being typed is left alone.
    if (field.current && document.activeElement !== field.current) field.current.value = text
  }, [text])
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = (value: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onText(value.trim()), PAUSE_MS)
  }
  return (
    <search className={css.tools}>
      <form
        className={css.search}
        onSubmit={(event) => {
          event.preventDefault()
          clearTimeout(timer.current)
          onText(field.current?.value.trim() ?? '')
        }}
      >
        <OfficeIcon name="search" />
        <input
          ref={field}
          type="search"
          aria-label={t('list.search')}
          placeholder={placeholder}
          defaultValue={text}
          onChange={({ currentTarget }) => ask(currentTarget.value)}
        />
      </form>
      {more}
    </search>
  )
}
