/** A yearly rate in percent, with a comma and two decimals as amounts have them: "19,90 %", and "0 %". */
export function formatRate(rate: number): string {
  return `${String(rate)
    .replace(/\.(\d)$/, '.$10')
    .replace('.', ',')}\u00a0%`
}
