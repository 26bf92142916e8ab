/** Canvases: pages of a space put together from areas, each of which shows something. */
import * as z from 'zod'
import { EnvironmentContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Id, narrowing, scoped, Time } from './ids.ts'
import { maybe } from './optional.ts'
import { data, paged, pageQuery, Success } from './page.ts'
import { topic } from './topic.ts'

/** A canvas, and each of its areas, has at most this many bytes as JSON. */
export const CANVAS_BYTES = 64 * 1024
/** So that a canvas is deleted with its areas in one transaction. */
export const AREAS_A_CANVAS = 40

/** `null` is the same as nothing. */
const Anything = z.unknown().transform((value) => value ?? undefined)
const settings = {
  name: maybe(z.string().max(500)),
  description: maybe(z.string().max(5000)),
  config: Anything.optional(),
  metadata: Anything.optional(),
}

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

export const create = endpoint({
  id: 'canvases.create',
  method: 'POST',
  path: '/canvases',
  summary: 'Creates a canvas',
  policy: { can: 'canvases:write', on: 'space', at: 'body.spaceId' },
  body: z.object({ spaceId: scoped('space'), ...settings }),
  reply: data(Canvas),
  errors: ['too-large'],
  example: { body: { spaceId: '{spaceId}', name: 'Overview' } },
})
export const listed = endpoint({
  id: 'canvases.list',
  method: 'GET',
  path: '/canvases',
  summary: 'Lists canvases, newest first',
  policy: { can: 'canvases:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    spaceId: scoped('space').optional(),
    ...pageQuery(20, 50),
  }),
  reply: paged(Canvas),
  errors: ['not-found'],
  example: { query: { spaceId: '{spaceId}' } },
})

const params = z.object({ canvasId: Id })
const at = 'params.canvasId'
const example = { params: { canvasId: '{canvasId}' } }

export const get = endpoint({
  id: 'canvases.get',
  method: 'GET',
  path: '/canvases/{canvasId}',
  summary: 'Reads a canvas',
  policy: { can: 'canvases:read', on: 'canvas', at },
  params,
  reply: data(Canvas),
  example,
})
export const update = endpoint({
  id: 'canvases.update',
  method: 'PATCH',
  path: '/canvases/{canvasId}',
  summary: 'Changes a canvas; what is left out stays',
  policy: { can: 'canvases:write', on: 'canvas', at },
  params,
  body: z.object(settings),
  reply: data(Canvas),
  errors: ['too-large'],
  example: { ...example, body: { name: 'All of it' } },
})
export const remove = endpoint({
  id: 'canvases.remove',
  method: 'DELETE',
  path: '/canvases/{canvasId}',
  summary: 'Deletes a canvas with its areas',
  policy: { can: 'canvases:write', on: 'canvas', at },
  params,
  reply: Success,
  example,
})

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
const Type = z.enum(TYPES)
const Position = z.enum(['top', 'left', 'right', 'middle', 'bottom'])
const Visibility = z.enum(['visible', 'hidden', 'optional', 'skeleton'])
const Layout = z.enum(['split', 'drawer', 'modal'])

export const CanvasArea = z.object({
  id: Id,
  canvasId: Id,
  /** The area it is in. */
  parentId: Id.optional(),
  type: Type,
  position: Position,
  layout: Layout,
  visibility: Visibility,
  overlay: z.unknown().optional(),
  config: z.unknown().optional(),
  metadata: z.unknown().optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type CanvasArea = z.infer<typeof CanvasArea>

const shown = {
  parentId: maybe(scoped('canvasArea')),
  layout: maybe(Layout),
  visibility: maybe(Visibility),
  overlay: Anything.optional(),
  config: Anything.optional(),
  metadata: Anything.optional(),
}

export const createArea = endpoint({
  id: 'canvases.createArea',
  method: 'POST',
  path: '/canvas-areas',
  summary: 'Adds an area to a canvas',
  description: `A canvas has at most ${AREAS_A_CANVAS} areas. Without \`layout\` it is split, without \`visibility\` it is visible.`,
  policy: { can: 'canvases:write', on: 'canvas', at: 'body.canvasId' },
  body: z.object({ canvasId: scoped('canvas'), type: Type, position: Position, ...shown }),
  reply: data(CanvasArea),
  errors: ['conflict', 'too-large'],
  example: { body: { canvasId: '{canvasId}', type: 'sheet', position: 'middle', config: { sheetId: '{sheetId}' } } },
})
export const areas = endpoint({
  id: 'canvases.areas',
  method: 'GET',
  path: '/canvas-areas',
  summary: 'Lists canvas areas, newest first',
  policy: { can: 'canvases:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    spaceId: narrowing('space').optional(),
    canvasId: scoped('canvas').optional(),
    parentId: narrowing('canvasArea').optional(),
    ...pageQuery(20, 50),
  }),
  reply: paged(CanvasArea),
  errors: ['not-found'],
  example: { query: { canvasId: '{canvasId}' } },
})

const area = { params: z.object({ canvasAreaId: Id }), reply: data(CanvasArea) }
const atArea = 'params.canvasAreaId'
const exampleOfArea = { params: { canvasAreaId: '{canvasAreaId}' } }

export const getArea = endpoint({
  id: 'canvases.getArea',
  method: 'GET',
  path: '/canvas-areas/{canvasAreaId}',
  summary: 'Reads a canvas area',
  policy: { can: 'canvases:read', on: 'canvasArea', at: atArea },
  ...area,
  example: exampleOfArea,
})
export const updateArea = endpoint({
  id: 'canvases.updateArea',
  method: 'PATCH',
  path: '/canvas-areas/{canvasAreaId}',
  summary: 'Changes a canvas area; what is left out stays',
  description: 'An area stays in its canvas.',
  policy: { can: 'canvases:write', on: 'canvasArea', at: atArea },
  ...area,
  body: z.object({ ...shown, type: maybe(Type), position: maybe(Position), canvasId: maybe(scoped('canvas')) }),
  errors: ['too-large'],
  example: { ...exampleOfArea, body: { position: 'left' } },
})
export const removeArea = endpoint({
  id: 'canvases.removeArea',
  method: 'DELETE',
  path: '/canvas-areas/{canvasAreaId}',
  summary: 'Deletes a canvas area with the areas in it',
  policy: { can: 'canvases:write', on: 'canvasArea', at: atArea },
  ...area,
  reply: Success,
  example: exampleOfArea,
})

/** CCV of the specification. */
const context = z.looseObject({ ...EnvironmentContext.shape, spaceId: Id, canvasId: Id })
const about = { payload: Canvas, context }
export const created = topic('canvas:created', { when: 'a canvas is created', ...about })
export const updated = topic('canvas:updated', { when: 'a canvas is changed', ...about })
export const deleted = topic('canvas:deleted', { when: 'a canvas is deleted', ...about })

const aboutArea = { payload: CanvasArea, context: z.looseObject({ ...context.shape, canvasAreaId: Id }) }
export const areaCreated = topic('canvas-area:created', { when: 'a canvas area is created', ...aboutArea })
export const areaUpdated = topic('canvas-area:updated', { when: 'a canvas area is changed', ...aboutArea })
export const areaDeleted = topic('canvas-area:deleted', { when: 'a canvas area is deleted', ...aboutArea })
