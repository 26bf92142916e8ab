import { freshSegment } from '../../lib/records/log/fold.ts'
import type { Segment } from '../../lib/records/log/state.ts'

/** A segment as states hold it, without a row. */
export const NO_SEGMENT: Segment = freshSegment('0.0', 0)
