import { Button } from '@kvitt/ui/components/button.tsx'
import { useId, type ComponentProps } from 'react'
import { isPeeking } from '../session.ts'
import { t } from '../text.ts'
import css from './act-button.module.css'

/** A button that changes something. While one of the staff only looks it is off, and says why. */
export function ActButton({
  isOff = isPeeking(),
  ...props
}: ComponentProps<typeof Button> & { isOff?: boolean }) {
  const id = useId()
  if (!isOff) return <Button {...props} />
  return (
    <>
      <Button
        {...props}
        type="button"
        busy={undefined}
        aria-disabled
        aria-describedby={id}
        onClick={undefined}
      />
      <span id={id} className={css.why}>
        {t('peek.off')}
      </span>
    </>
  )
}
