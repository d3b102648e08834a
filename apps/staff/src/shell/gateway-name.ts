import { t } from '../text.ts'

/** A gateway as its owner writes it; a bank's has no name. */
export function gatewayName(code: string): string {
  if (code === 'SWISH') return 'Swish'
  return code === 'DIRECT_BANK' ? t('gateway.direct_bank') : code
}
