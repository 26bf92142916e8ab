import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'

export const MAX_CANVAS_BYTES = 64 * 1024
/** Limited so that a canvas and its areas can be deleted in one transaction. */
export const MAX_AREAS_PER_CANVAS = 40

export const Canvas = z.object({
  id: Id,
  environmentId: Id,
  spaceId: Id,
  name: z.string().optional(),
  description: z.string().optional(),
  config: z.unknown().optional(),
  metadata: z.unknown().optional(),
  createdBy: Id,
  createdAt: Time,
  updatedAt: Time,
})
export type Canvas = z.infer<typeof Canvas>

const TYPES = [
  'mapping',
  'header',
  'agent',
  'form',
  'sheet',
  'sheets',
  'workbook',
  'document',
  'file',
  'iframe',
] as const
export const AreaType = z.enum(TYPES)
export const AreaPosition = z.enum(['top', 'left', 'right', 'middle', 'bottom'])
export const AreaVisibility = z.enum(['visible', 'hidden', 'optional', 'skeleton'])
export const AreaLayout = z.enum(['split', 'drawer', 'modal'])

export const CanvasArea = z.object({
  id: Id,
  canvasId: Id,
  parentId: Id.optional(),
  type: AreaType,
  position: AreaPosition,
  layout: AreaLayout,
  visibility: AreaVisibility,
  overlay: z.unknown().optional(),
  config: z.unknown().optional(),
  metadata: z.unknown().optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type CanvasArea = z.infer<typeof CanvasArea>
