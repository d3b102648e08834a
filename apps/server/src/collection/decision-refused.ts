/** Why staff cannot decide something now, for a person to read. Nothing has changed. */
export class DecisionRefused extends Error {
  override name = 'DecisionRefused'
}
