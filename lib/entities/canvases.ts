/** Stored canvases, listed by environment and by space, and their areas. */

import type * as z from 'zod'
import * as canvases from '../../schemas/canvases/events.ts'
import { Canvas, CanvasArea, MAX_CANVAS_BYTES } from '../../schemas/canvases/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { message } from '../../schemas/messages/index.ts'
import { tooLarge } from '../core/errors.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'

const Shape = Canvas.extend({ accountId: Id, namespaces: Namespaces })

const stored = entity({
  name: 'canvas',
  shape: Shape,
  by: { inSpace: { index: 'gsi1', of: ['spaceId'] }, inEnvironment: { index: 'gsi2', of: ['environmentId'] } },
})
export type StoredCanvas = Stored<typeof Shape>
export type NewCanvas = z.infer<typeof Shape>

export const Canvases = {
  ...stored,
  inSpace: (spaceId: string): Promise<StoredCanvas[]> => stored.list('inSpace', { spaceId }, { order: 'desc' }),
  inEnvironment: (environmentId: string): Promise<StoredCanvas[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
}

const AreaShape = CanvasArea.extend({ accountId: Id, environmentId: Id, spaceId: Id, namespaces: Namespaces })

const areas = entity({
  name: 'canvas-area',
  shape: AreaShape,
  by: { inCanvas: { index: 'gsi1', of: ['canvasId'] }, inEnvironment: { index: 'gsi2', of: ['environmentId'] } },
})
export type StoredArea = Stored<typeof AreaShape>
export type NewArea = z.infer<typeof AreaShape>

export const CanvasAreas = {
  ...areas,
  inCanvas: (canvasId: string): Promise<StoredArea[]> => areas.list('inCanvas', { canvasId }, { order: 'desc' }),
  inEnvironment: (environmentId: string): Promise<StoredArea[]> =>
    areas.list('inEnvironment', { environmentId }, { order: 'desc' }),
}

/** The specification's CCV. */
export const canvasContext = (canvas: NewCanvas) => ({
  environmentId: canvas.environmentId,
  spaceId: canvas.spaceId,
  canvasId: canvas.id,
})

export const areaContext = (area: NewArea) => ({
  environmentId: area.environmentId,
  spaceId: area.spaceId,
  canvasId: area.canvasId,
  canvasAreaId: area.id,
})

export function assertCanvasFits(canvasOrArea: NewCanvas | NewArea): void {
  const bytes = Buffer.byteLength(JSON.stringify(canvasOrArea))
  const key = 'canvasId' in canvasOrArea ? 'requests.canvasAreaTooLarge' : 'requests.canvasTooLarge'
  if (bytes > MAX_CANVAS_BYTES) throw tooLarge(message(key, { limit: MAX_CANVAS_BYTES, bytes }))
}

export function removeArea(tx: Tx, area: StoredArea): void {
  tx.write(areas.remove(area))
  tx.emit(canvases.areaDeleted, areaContext(area), area, { namespaces: area.namespaces })
}

export async function removeCanvas(tx: Tx, canvas: StoredCanvas): Promise<void> {
  for (const area of await CanvasAreas.inCanvas(canvas.id)) removeArea(tx, area)
  tx.write(stored.remove(canvas))
  tx.emit(canvases.deleted, canvasContext(canvas), canvas, { namespaces: canvas.namespaces })
}
