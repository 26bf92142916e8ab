import { createSegment } from '../../lib/records/state/fold.ts'
import type { Segment } from '../../lib/records/state/state.ts'

export const EMPTY_SEGMENT: Segment = createSegment('0.0', 0)
