/** Confidences as words. Pure. */
import type { Certainty } from '../../schemas/mapping.ts'

/** How sure a confidence is, in the four words clients know. */
export function certaintyOf(score: number): Certainty {
  if (score >= 0.95) return 'absolute'
  if (score >= 0.8) return 'strong'
  if (score >= 0.65) return 'moderate'
  return 'weak'
}
