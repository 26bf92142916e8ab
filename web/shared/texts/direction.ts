const RIGHT_TO_LEFT = new Set(['ar'])

export const isRightToLeft = (language: string): boolean => RIGHT_TO_LEFT.has(language)
