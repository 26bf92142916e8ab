import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, Time, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { list } from '../kit/page.ts'

export const PRESENCE_SECONDS = 45

export const Present = z.object({ actorId: z.string(), name: z.string(), sheetId: Id.optional(), at: Time })
export type Present = z.infer<typeof Present>

export const presence = endpoint({
  id: 'spaces.presence',
  method: 'POST',
  path: '/spaces/{spaceId}/presence',
  summary: 'Reports that the caller is in a space, and lists who else is',
  description: `Repeat it while the caller is there: who has not reported for ${PRESENCE_SECONDS} s has left. \`left\` leaves immediately. Others are listed for callers who may see guests (\`guests:read\`).`,
  policy: { can: 'spaces:read', on: 'space', at: 'params.spaceId' },
  params: z.object({ spaceId: Id }),
  body: z.strictObject({
    sheetId: nullish(unscoped('the sheet that the caller has open, only shown to the others')),
    left: nullish(z.boolean()),
  }),
  bodyOptional: true,
  reply: list(Present),
  example: { params: { spaceId: '{spaceId}' }, body: {} },
})
