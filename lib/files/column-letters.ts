/** Spreadsheet column letters: 0 is A, 26 is AA. */
export function toColumnLetters(column: number): string {
  let letters = ''
  for (let remaining = column + 1; remaining > 0; remaining = Math.floor((remaining - 1) / 26))
    letters = String.fromCharCode(65 + ((remaining - 1) % 26)) + letters
  return letters
}
