import type { clipMessages } from '../../../../schemas/messages/clips.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const clips: Record<keyof typeof clipMessages, Text> = {
  'clips.merged': 'El extracto {clip} está fusionado y ya no se puede cambiar.',
  'clips.unknownCollaborator': '{name} no es un correo electrónico ni el id de un usuario o invitado conocido',

  'clips.recordsRequired': 'es obligatorio si ningún parámetro de consulta selecciona registros',
  'clips.recordsOrParameters': 'no se puede combinar con parámetros que seleccionan registros',
  'clips.tooManyAdditions': 'Se pueden añadir registros a un extracto {count} veces como máximo.',
  'clips.tooManyRanges':
    'Los registros seleccionados están en {count} rangos de filas distintos, más del límite de {limit}. Copie menos registros a la vez.',
  'clips.copiedConcurrently': 'Otra solicitud copió algunos de estos registros al mismo tiempo. Repita la solicitud.',
  'clips.deletedConcurrently': 'Se eliminaron registros del origen al mismo tiempo. Repita la solicitud.',

  'clips.conflicts': {
    one: '{count} registro tiene conflictos. Resuélvalos primero con {endpoint}.',
    many: '{count} de registros tienen conflictos. Resuélvalos primero con {endpoint}.',
    other: '{count} registros tienen conflictos. Resuélvalos primero con {endpoint}.',
  },
  'clips.tooManyDecisions':
    'Un extracto puede tener como máximo {count} decisiones; este tendría {current}. Fusione el extracto o actualice sus resoluciones.',
  'clips.recordNotDifferent': 'el registro {record} no difiere del origen',
  'clips.fieldNotDifferent': '{field} de {record} no difiere del origen',
  'clips.fieldChanged': '{field} de {record} ha cambiado. Vuelva a cargar las resoluciones.',
  'clips.invalidChoice': 'debe ser uno de estos: {choices}',
}
