/** The entry of worker threads. */
import { serveTasks } from '../core/threads/serve.ts'
import { mapTask } from '../jobs/mapping/map-task.ts'
import { countTask, lineTask, segmentTask } from '../records/index.ts'

serveTasks([countTask, mapTask, segmentTask, lineTask])
