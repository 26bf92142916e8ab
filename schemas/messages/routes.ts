/** Messages about requests without an endpoint. */
import type { Text } from './format.ts'

export const routeMessages = {
  'routes.notSupported': 'The operation {operation} ({method} {path}) is not supported.',
  'routes.unknown': 'There is no endpoint {method} {path}.',
  'routes.emptySegment': 'There is no endpoint {method} {path}. The path has an empty segment, probably a missing id.',
  'routes.invalidJson': 'is not valid JSON',
} as const satisfies Record<string, Text>
