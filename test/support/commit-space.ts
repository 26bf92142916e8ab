/** Runs in its own process: creates a space with its event, like the API. Arguments: account and environment. */
import { newId } from '../../lib/core/ids.ts'
import { Spaces, spaceContext } from '../../lib/entities/spaces.ts'
import { begin } from '../../lib/tx.ts'
import * as spaces from '../../schemas/spaces/events.ts'

const [accountId, environmentId] = process.argv.slice(2) as [string, string]
const tx = begin({ accountId, actorId: accountId })
const id = newId('space')
const space = {
  id,
  accountId,
  environmentId,
  name: 'Outbox',
  guestAuthentication: 'shared_link' as const,
  createdAt: tx.now,
  updatedAt: tx.now,
}
tx.write(Spaces.create(space))
const event = tx.emit(spaces.created, spaceContext(space), { spaceId: id, environmentId, name: space.name })
process.stdout.write(`${JSON.stringify({ spaceId: id, eventId: event.id })}\n`)
await tx.commit()
process.stdout.write('published\n')
