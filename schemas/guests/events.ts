import { Empty, SpaceContext } from '../kit/context.ts'
import { topic } from '../kit/topic.ts'

export const guestAdded = topic('space:guestAdded', {
  when: 'a guest gets access to a space',
  payload: Empty,
  context: SpaceContext,
})
export const guestRemoved = topic('space:guestRemoved', {
  when: 'a guest loses access to a space, or is deleted',
  payload: Empty,
  context: SpaceContext,
})
