/** A gateway as its owner writes it. */
export const gatewayName = (code: string): string => (code === 'SWISH' ? 'Swish' : code)
