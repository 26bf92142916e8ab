import type { Certainty } from '../../schemas/programs/plan.ts'

export function toCertainty(score: number): Certainty {
  if (score >= 0.95) return 'absolute'
  if (score >= 0.8) return 'strong'
  if (score >= 0.65) return 'moderate'
  return 'weak'
}
