export const FORMULAS = ['SUM', 'AVERAGE', 'MIN', 'MAX'] as const
