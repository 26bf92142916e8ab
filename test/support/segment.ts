import { createSegment } from '../../lib/records/log/fold.ts'
import type { Segment } from '../../lib/records/log/state.ts'

export const EMPTY_SEGMENT: Segment = createSegment('0.0', 0)
