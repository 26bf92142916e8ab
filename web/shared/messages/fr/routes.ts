import type { Text } from '../../../../schemas/messages/format.ts'
import type { routeMessages } from '../../../../schemas/messages/routes.ts'

export const routes: Record<keyof typeof routeMessages, Text> = {
  'routes.notSupported': 'L’opération {operation} ({method} {path}) n’est pas prise en charge.',
  'routes.unknown': 'Il n’y a pas de point d’accès {method} {path}.',
  'routes.emptySegment':
    'Il n’y a pas de point d’accès {method} {path}. Le chemin contient un segment vide ; il manque sans doute un identifiant.',
  'routes.invalidJson': 'n’est pas du JSON valide',
}
