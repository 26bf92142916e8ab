/** Decodes `_xHHHH_`, which workbooks use for characters XML cannot contain (ECMA-376 part 1, 22.9.2.19). */

export const unescapeCellText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
