/** Texts in workbooks: characters XML cannot carry stand there as `_xHHHH_` (ECMA-376 part 1, 22.9.2.19). Pure. */

/** A text as it was meant. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
