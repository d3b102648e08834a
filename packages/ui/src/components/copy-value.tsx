import { say } from '../language/speak.ts'
import css from './copy-value.module.css'
import { Icon } from './icon.tsx'
import { showToast } from './toast.tsx'

/** Copies the value without its spaces; `label` names it for screen readers. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(value.replaceAll(/\s/g, ''))
    showToast(say('payment.copied'))
  }
  return (
    <button type="button" className={css.copy} onClick={() => void copy()}>
      <Icon name="copy" size={20} />
      <span>
        {say('payment.copy')}
        <span className="spoken"> {label}</span>
      </span>
    </button>
  )
}
