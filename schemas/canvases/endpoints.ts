/** Endpoints for canvases: pages of a space that consist of areas. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, paged, pageQuery, Success } from '../kit/page.ts'
import {
  AreaLayout,
  AreaPosition,
  AreaType,
  AreaVisibility,
  Canvas,
  CanvasArea,
  MAX_AREAS_PER_CANVAS,
} from './shape.ts'

const NullishUnknown = z.unknown().transform((value) => value ?? undefined)
const settings = {
  name: nullish(z.string().max(500)),
  description: nullish(z.string().max(5000)),
  config: NullishUnknown.optional(),
  metadata: NullishUnknown.optional(),
}

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
const idPath = 'params.canvasId'
const example = { params: { canvasId: '{canvasId}' } }

export const get = endpoint({
  id: 'canvases.get',
  method: 'GET',
  path: '/canvases/{canvasId}',
  summary: 'Reads a canvas',
  policy: { can: 'canvases:read', on: 'canvas', at: idPath },
  params,
  reply: data(Canvas),
  example,
})
export const update = endpoint({
  id: 'canvases.update',
  method: 'PATCH',
  path: '/canvases/{canvasId}',
  summary: 'Updates a canvas; omitted properties are unchanged',
  policy: { can: 'canvases:write', on: 'canvas', at: idPath },
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
  policy: { can: 'canvases:write', on: 'canvas', at: idPath },
  params,
  reply: Success,
  example,
})

const areaSettings = {
  parentId: nullish(scoped('canvasArea')),
  layout: nullish(AreaLayout),
  visibility: nullish(AreaVisibility),
  overlay: NullishUnknown.optional(),
  config: NullishUnknown.optional(),
  metadata: NullishUnknown.optional(),
}

export const createArea = endpoint({
  id: 'canvases.createArea',
  method: 'POST',
  path: '/canvas-areas',
  summary: 'Adds an area to a canvas',
  description: `A canvas has at most ${MAX_AREAS_PER_CANVAS} areas. \`layout\` defaults to split, \`visibility\` to visible.`,
  policy: { can: 'canvases:write', on: 'canvas', at: 'body.canvasId' },
  body: z.object({ canvasId: scoped('canvas'), type: AreaType, position: AreaPosition, ...areaSettings }),
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
const areaIdPath = 'params.canvasAreaId'
const areaExample = { params: { canvasAreaId: '{canvasAreaId}' } }

export const getArea = endpoint({
  id: 'canvases.getArea',
  method: 'GET',
  path: '/canvas-areas/{canvasAreaId}',
  summary: 'Reads a canvas area',
  policy: { can: 'canvases:read', on: 'canvasArea', at: areaIdPath },
  ...area,
  example: areaExample,
})
export const updateArea = endpoint({
  id: 'canvases.updateArea',
  method: 'PATCH',
  path: '/canvas-areas/{canvasAreaId}',
  summary: 'Updates a canvas area; omitted properties are unchanged',
  description: 'An area cannot be moved to another canvas.',
  policy: { can: 'canvases:write', on: 'canvasArea', at: areaIdPath },
  ...area,
  body: z.object({
    ...areaSettings,
    type: nullish(AreaType),
    position: nullish(AreaPosition),
    canvasId: nullish(scoped('canvas')),
  }),
  errors: ['too-large'],
  example: { ...areaExample, body: { position: 'left' } },
})
export const removeArea = endpoint({
  id: 'canvases.removeArea',
  method: 'DELETE',
  path: '/canvas-areas/{canvasAreaId}',
  summary: 'Deletes a canvas area and the areas inside it',
  policy: { can: 'canvases:write', on: 'canvasArea', at: areaIdPath },
  ...area,
  reply: Success,
  example: areaExample,
})
