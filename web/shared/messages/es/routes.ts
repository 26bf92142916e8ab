import type { Text } from '../../../../schemas/messages/format.ts'
import type { routeMessages } from '../../../../schemas/messages/routes.ts'

export const routes: Record<keyof typeof routeMessages, Text> = {
  'routes.notSupported': 'La operación {operation} ({method} {path}) no se admite.',
  'routes.unknown': 'No existe el punto de acceso {method} {path}.',
  'routes.emptySegment':
    'No existe el punto de acceso {method} {path}. La ruta tiene un segmento vacío; probablemente falta un id.',
  'routes.invalidJson': 'no es JSON válido',
}
