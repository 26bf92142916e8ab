import type { Text } from '../../../../schemas/messages/format.ts'
import type { routeMessages } from '../../../../schemas/messages/routes.ts'

export const routes: Record<keyof typeof routeMessages, Text> = {
  'routes.notSupported': 'العملية {operation} ({method} {path}) غير مدعومة.',
  'routes.unknown': 'لا توجد نقطة نهاية {method} {path}.',
  'routes.emptySegment': 'لا توجد نقطة نهاية {method} {path}. يحتوي المسار على جزء فارغ، والأرجح أن معرِّفًا مفقود.',
  'routes.invalidJson': 'ليس JSON صالحًا',
}
