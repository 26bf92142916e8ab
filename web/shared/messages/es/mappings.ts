import type { Text } from '../../../../schemas/messages/format.ts'
import type { mappingMessages } from '../../../../schemas/messages/mappings.ts'

export const mappings: Record<keyof typeof mappingMessages, Text> = {
  'mappings.allRequiredMapped': 'Todos los campos obligatorios están asignados',
  'mappings.requiredUnmapped': 'Campos obligatorios sin asignar: {fields}',
  'mappings.recordsMapped': { one: 'Se transfirió {count} registro', other: 'Se transfirieron {count} registros' },
  'mappings.recordsMappedTo': {
    one: 'Se transfirió {count} registro de {source} a {destination}.',
    other: 'Se transfirieron {count} registros de {source} a {destination}.',
  },
  'mappings.progress': {
    one: '{done} de {count} registro transferido',
    other: '{done} de {count} registros transferidos',
  },
  'mappings.finished': 'Datos transferidos',
  'mappings.importedByKey':
    'Creados: {created}, actualizados: {updated}, sin cambios: {unchanged}, omitidos: {skipped}',
  'mappings.importedReplacing': 'Creados: {created}, eliminados: {deleted}',
  'mappings.rowsSkipped': 'Filas omitidas de {source}: {emptyKey} sin clave, {noRecord} sin registro.',
  'mappings.totalsLeftOut': 'Filas omitidas por ser totales: {count} (filas {rows}).',
  'mappings.carriedOverLeftOut': 'Filas omitidas por ser sumas arrastradas: {count} (filas {rows}).',
  'mappings.pageHeadingsLeftOut': 'Filas omitidas por ser encabezados de página: {count} (filas {rows}).',
  'mappings.singleTextsLeftOut': 'Filas omitidas por ser títulos o notas: {count} (filas {rows}).',
  'mappings.onlyAtTopLevel': 'solo es posible en el nivel superior de un programa',
  'mappings.keyRequired': 'es obligatorio para el modo {mode}: indique los campos que identifican un registro',
  'mappings.keyNotUsed': 'solo se usa en los modos {modes}',
  'mappings.keyNotMapped': 'El campo clave {field} no está asignado. Asígnele una columna.',
  'mappings.nothingMapped': 'Ningún campo de {source} está asignado a un campo de {destination}. Asigne al menos uno.',
  'mappings.ruleDoesNotFit': 'Las reglas no se ajustan a las hojas: {rule} {problem}',
  'mappings.rulesDoNotFit': { one: '{first} ({count} problema más)', other: '{first} ({count} problemas más)' },
  'mappings.edgeFillsField': 'otra asignación ya rellena el campo {field}',
  'mappings.noPlan': 'La tarea aún no tiene plan: lo recibe al empezar.',
  'mappings.invalidPreview': 'debe ser el token de una vista previa de esta tarea',
  'mappings.planChanged': 'El plan cambió desde la vista previa',
  'mappings.recordsChanged': 'Los registros de {sheet} cambiaron desde la vista previa',
  'mappings.fieldsChanged': 'Los campos de {sheet} cambiaron desde la vista previa',
  'mappings.linkedRecordsChanged': 'Los registros a los que se refiere {sheet} cambiaron desde la vista previa',
  'mappings.previewIncomplete': {
    one: 'Se contaron los primeros {done} de {count} registro: una vista previa cuenta durante {seconds} segundos.',
    other: 'Se contaron los primeros {done} de {count} registros: una vista previa cuenta durante {seconds} segundos.',
  },

  'mappings.nestNotSupported':
    'nest crea registros dentro de celdas, algo que las hojas no admiten: use array o una hoja aparte',
  'mappings.astNotSupported':
    'las reglas ast no se admiten: use arithmetic, interpolate o una tarea workbook:mutate-records',
  'mappings.tooManyRules': 'tiene {count} reglas; un programa tiene como máximo {limit}',
  'mappings.notARule': 'debe ser una regla: {example}',
  'mappings.unknownRuleType': 'debe ser uno de estos valores: {types}',
  'mappings.nestedTooDeep': {
    one: 'está anidado en más de {count} subprograma',
    other: 'está anidado en más de {count} subprogramas',
  },
  'mappings.unknownSourceField': 'el origen no tiene el campo {field}',
  'mappings.unknownDestinationField': 'el destino no tiene el campo {field}',
  'mappings.ruleFillsField': 'la regla ya rellena el campo {field}',
  'mappings.tooFewGroups': {
    one: 'tiene {fields} campos, pero el patrón solo tiene {count} grupo',
    other: 'tiene {fields} campos, pero el patrón solo tiene {count} grupos',
  },
  'mappings.invalidPattern': 'no es un patrón válido: {reason}',
  'mappings.unknownPlaceholder': {
    one: '{placeholder} no es un campo de origen: hay {count}, a partir de {first}',
    other: '{placeholder} no es un campo de origen: hay {count}, a partir de {first}',
  },
  'mappings.formatRequired': 'es obligatorio si no se define formats',
  'mappings.invalidDateFormat': 'no es un formato de fecha válido: {reason}',
  'mappings.datePartTwice': 'contiene dos veces la misma parte de una fecha',
  'mappings.formatWithoutDay': 'no tiene día: use por ejemplo dd.MM.yyyy, M/d/yy o d LLLL yyyy',
  'mappings.filterBeforeValidation': 'no puede usar "is {state}": los filtros se ejecutan antes de la validación',
  'mappings.invalidLanguageTag': 'debe ser un código de idioma como {example}',

  'mappings.unexpectedCharacter': 'carácter inesperado en la posición {position}: {character}',
  'mappings.expectedInEquation': 'se esperaba {expected} en el carácter {position}, no {found}',
  'mappings.endOfEquation': 'el final',
  'mappings.operand': 'un número, un campo o un paréntesis',
  'mappings.operator': 'un operador o el final',
  'mappings.unknownEquationField': '{name} en el carácter {position} no es uno de los campos de origen',
  'mappings.wrongArgumentCount': {
    one: '{name} en el carácter {position} recibe {count} número',
    other: '{name} en el carácter {position} recibe {count} números',
  },
  'mappings.wrongArgumentRange': '{name} en el carácter {position} recibe de {minimum} a {maximum} números',
  'mappings.equationTooDeep': 'los paréntesis y signos están anidados en más de {count} niveles',

  'mappings.sideRequired': 'es obligatorio',
  'mappings.sideRequiredUnless': 'es obligatorio si no se indica {property}',
  'mappings.differentSpaces': 'debe estar en el mismo espacio que el origen',
}
