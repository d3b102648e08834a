/** Is this a host where people develop and test? Nothing is reported from there (specification section 1). */
export function isTestHost(host: string): boolean {
  return (
    /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host) ||
    /\.(?:localhost|local|test|example|invalid)$/.test(host) ||
    /(?:^|[.-])test[.-]/.test(host)
  )
}
