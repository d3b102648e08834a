/** A number as people write it, with a point and without spaces. */
export const decimalOf = (text = ''): string =>
  text
    .trim()
    .replaceAll(/[\s\u00a0]/g, '')
    .replace(',', '.')
    .replace('−', '-')
