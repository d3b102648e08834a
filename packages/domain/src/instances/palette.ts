/** Placeholder type until computed; see instance.contract.ts. */
export type Palette = {
  readonly fill: string
  readonly onFill: string
  readonly fillDark: string
  readonly onFillDark: string
  readonly inkLight: string
  readonly inkDark: string
  readonly edge: boolean
}
