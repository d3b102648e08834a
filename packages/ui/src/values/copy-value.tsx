import { say } from '../language/speak.ts'
import css from './copy-value.module.css'
import { Icon } from '../components/icon.tsx'
import { showToast } from '../feedback/toast.tsx'

const compact = (text: string | null): string | undefined => text?.replaceAll(/\s/g, '')

/** Marks where the value stands nearest to its button. */
function mark(button: Element, value: string): void {
  for (let at = button.parentElement; at; at = at.parentElement) {
    const shown = [...at.children].find(({ textContent }) => compact(textContent) === compact(value))
    if (shown) return getSelection()?.selectAllChildren(shown)
  }
}

/** Copies the value without its spaces; where that is not allowed it is marked instead. `label` names it for screen readers. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const copy = async (button: Element) => {
    try {
      await navigator.clipboard.writeText(compact(value) ?? '')
      showToast(say('payment.copied'))
    } catch {
      mark(button, value)
      showToast(say('payment.copy_failed'), true)
    }
  }
  return (
    <button type="button" className={css.copy} onClick={({ currentTarget }) => void copy(currentTarget)}>
      <Icon name="copy" size={20} />
      <span>
        {say('payment.copy')}
        <span className="spoken"> {label}</span>
      </span>
    </button>
  )
}
