/** Who changes people or API keys has shown who they are within ten minutes. */
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { beginSignIn } from '@kvitt/office/session/sign-in.ts'
import { t } from '../text.ts'
import { SIGN_IN } from './portal.ts'

/** The way back to here by a new sign-in, where that is what a refusal asks for. */
export function remedyFor(code: string) {
  if (code !== 'sign_in_again') return null
  const begin = () => void beginSignIn(SIGN_IN, location.hash).then((address) => location.assign(address))
  return (
    <div>
      <OfficeButton onClick={begin}>{t('fresh.sign_in')}</OfficeButton>
    </div>
  )
}
