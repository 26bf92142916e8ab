import type { JobTimings } from '../../../schemas/jobs/shape.ts'
import type { SpentTime } from '../../core/stopwatch.ts'
import type { NewJob } from '../../entities/jobs.ts'

export const NO_TIME: JobTimings = { waiting: 0, reading: 0, computing: 0, writing: 0, events: 0 }

/** A job waits until its run starts, and from a run that died until the next one. */
export function addWaiting({ timings = NO_TIME, updatedAt }: Pick<NewJob, 'timings' | 'updatedAt'>): JobTimings {
  return { ...timings, waiting: timings.waiting + Math.max(0, Date.now() - Date.parse(updatedAt)) }
}

export const addRun = (earlier: JobTimings, spent: SpentTime): JobTimings => ({
  waiting: earlier.waiting,
  reading: earlier.reading + Math.round(spent.reading),
  computing: earlier.computing + Math.round(spent.computing),
  writing: earlier.writing + Math.round(spent.writing),
  events: earlier.events + Math.round(spent.events),
})
