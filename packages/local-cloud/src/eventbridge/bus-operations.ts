import * as z from 'zod'
import { AwsError, parseInput } from '../lambda/wire.ts'
import type { Bus } from './buses.ts'
import type { EventBridgeComponents } from './components.ts'
import { paginate } from './page.ts'

const createBusInput = z.strictObject({
  Name: z.string().regex(/^[.\-_A-Za-z0-9]{1,256}$/, "Event bus name must not contain '/'."),
})
const listBusesInput = z.object({
  NamePrefix: z.string().default(''),
  Limit: z.int().min(1).max(100).optional(),
  NextToken: z.string().optional(),
})

export function createEventBus({ buses }: EventBridgeComponents, input: unknown) {
  const { Name } = parseInput(createBusInput, input)
  if (buses.find(Name)) {
    throw new AwsError(400, 'ResourceAlreadyExistsException', `Event bus ${Name} already exists.`)
  }
  return { EventBusArn: buses.addBus(Name).arn }
}

export function listEventBuses({ buses }: EventBridgeComponents, input: unknown) {
  const { NamePrefix, ...paging } = parseInput(listBusesInput, input)
  const matching = buses.list().filter(({ name }) => name.startsWith(NamePrefix))
  const sorted = matching.sort((a, b) => (a.name < b.name ? -1 : 1))
  const { items, NextToken } = paginate(sorted, ({ name }) => name, paging)
  return { EventBuses: items.map(toBusResponse), NextToken }
}

const toBusResponse = (bus: Bus) => ({
  Name: bus.name,
  Arn: bus.arn,
  CreationTime: bus.createdAt,
  LastModifiedTime: bus.createdAt,
})
