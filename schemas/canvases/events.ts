import * as z from 'zod'
import { EnvironmentContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'
import { Canvas, CanvasArea } from './shape.ts'

const context = z.looseObject({ ...EnvironmentContext.shape, spaceId: Id, canvasId: Id })
const canvasEvent = { payload: Canvas, context }
export const created = topic('canvas:created', { when: 'a canvas is created', ...canvasEvent })
export const updated = topic('canvas:updated', { when: 'a canvas is updated', ...canvasEvent })
export const deleted = topic('canvas:deleted', { when: 'a canvas is deleted', ...canvasEvent })

const areaEvent = { payload: CanvasArea, context: z.looseObject({ ...context.shape, canvasAreaId: Id }) }
export const areaCreated = topic('canvas-area:created', { when: 'a canvas area is created', ...areaEvent })
export const areaUpdated = topic('canvas-area:updated', { when: 'a canvas area is updated', ...areaEvent })
export const areaDeleted = topic('canvas-area:deleted', { when: 'a canvas area is deleted', ...areaEvent })
