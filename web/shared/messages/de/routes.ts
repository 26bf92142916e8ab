import type { Text } from '../../../../schemas/messages/format.ts'
import type { routeMessages } from '../../../../schemas/messages/routes.ts'

export const routes: Record<keyof typeof routeMessages, Text> = {
  'routes.notSupported': 'Die Operation {operation} ({method} {path}) wird nicht unterstützt.',
  'routes.unknown': 'Es gibt keinen Endpunkt {method} {path}.',
  'routes.emptySegment':
    'Es gibt keinen Endpunkt {method} {path}. Der Pfad hat ein leeres Segment, wahrscheinlich fehlt eine ID.',
  'routes.invalidJson': 'ist kein gültiges JSON',
}
