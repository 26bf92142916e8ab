/** Operations on event buses and tags. */
import * as z from 'zod'
import { AwsError, parseInput, validationError } from '../lambda/wire.ts'
import { type Bus, DEFAULT_BUS } from './buses.ts'
import type { EventBridgeComponents } from './components.ts'
import { paginate } from './page.ts'

const tagList = z.array(z.object({ Key: z.string().min(1).max(128), Value: z.string().max(256) }))
const createBusInput = z.object({
  Name: z.string().regex(/^[.\-_A-Za-z0-9]{1,256}$/, "Event bus name must not contain '/'."),
  Description: z.string().max(512).optional(),
  Tags: tagList.default([]),
})
const busReference = z.object({ Name: z.string().optional() })
const deleteBusInput = z.object({ Name: z.string() })
const listBusesInput = z.object({
  NamePrefix: z.string().default(''),
  Limit: z.int().min(1).max(100).optional(),
  NextToken: z.string().optional(),
})
const resourceInput = z.object({ ResourceARN: z.string().startsWith('arn:') })
const tagInput = resourceInput.extend({ Tags: tagList })
const untagInput = resourceInput.extend({ TagKeys: z.array(z.string()) })

export function createEventBus({ buses }: EventBridgeComponents, input: unknown) {
  const { Name, Description, Tags } = parseInput(createBusInput, input)
  if (buses.find(Name)) {
    throw new AwsError(400, 'ResourceAlreadyExistsException', `Event bus ${Name} already exists.`)
  }
  const bus = buses.addBus(Name, Description)
  if (Tags.length) buses.setTags(bus.arn, toTagMap(Tags))
  return { EventBusArn: bus.arn, Description }
}

export const describeEventBus = ({ buses }: EventBridgeComponents, input: unknown) =>
  toBusResponse(buses.get(parseInput(busReference, input).Name))

export function listEventBuses({ buses }: EventBridgeComponents, input: unknown) {
  const { NamePrefix, ...paging } = parseInput(listBusesInput, input)
  const matching = buses.list().filter(({ name }) => name.startsWith(NamePrefix))
  const sorted = matching.sort((a, b) => (a.name < b.name ? -1 : 1))
  const { items, NextToken } = paginate(sorted, ({ name }) => name, paging)
  return { EventBuses: items.map(toBusResponse), NextToken }
}

export function deleteEventBus({ buses }: EventBridgeComponents, input: unknown) {
  const { Name } = parseInput(deleteBusInput, input)
  if (Name === DEFAULT_BUS) throw validationError('Cannot delete event bus default.')
  const bus = buses.find(Name)
  if (!bus) return {}
  if (Object.keys(bus.rules).length) throw validationError(`Event bus ${Name} can't be deleted since it has rules.`)
  buses.removeBus(bus.name)
  return {}
}

export function tagResource({ buses }: EventBridgeComponents, input: unknown) {
  const { ResourceARN, Tags } = parseInput(tagInput, input)
  buses.setTags(ResourceARN, { ...buses.getTags(ResourceARN), ...toTagMap(Tags) })
  return {}
}

export function untagResource({ buses }: EventBridgeComponents, input: unknown) {
  const { ResourceARN, TagKeys } = parseInput(untagInput, input)
  const tags = Object.entries(buses.getTags(ResourceARN)).filter(([key]) => !TagKeys.includes(key))
  buses.setTags(ResourceARN, Object.fromEntries(tags))
  return {}
}

export function listTagsForResource({ buses }: EventBridgeComponents, input: unknown) {
  const { ResourceARN } = parseInput(resourceInput, input)
  return { Tags: Object.entries(buses.getTags(ResourceARN)).map(([Key, Value]) => ({ Key, Value })) }
}

const toTagMap = (tags: z.output<typeof tagList>) => Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]))

const toBusResponse = (bus: Bus) => ({
  Name: bus.name,
  Arn: bus.arn,
  Description: bus.description,
  CreationTime: bus.createdAt,
  LastModifiedTime: bus.createdAt,
})
