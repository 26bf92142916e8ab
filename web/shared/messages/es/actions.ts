import type { actionMessages } from '../../../../schemas/messages/actions.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const actions: Record<keyof typeof actionMessages, Text> = {
  'actions.tooLarge': 'no debe superar {limit} bytes como JSON',
  'actions.inputRequired': '{field} es obligatorio',
  'actions.inputText': '{field} debe ser un texto',
  'actions.inputNumber': '{field} debe ser un número',
  'actions.inputBoolean': '{field} debe ser true o false',
  'actions.inputDate': '{field} debe ser una fecha',
  'actions.inputList': '{field} debe ser una lista',
  'actions.inputOption': '{field} debe ser uno de estos valores: {options}',
  'actions.inputOptions': '{field} solo puede contener estos valores: {options}',

  'actions.cannotRun': 'No se puede ejecutar {action}: {reason}.',
  'actions.noRecords': 'no hay registros',
  'actions.noSelection': 'no hay registros seleccionados (defina subject.query)',
  'actions.emptySelection': 'la selección está vacía',
  'actions.recordsWithErrors': { one: '{count} registro tiene errores', other: '{count} registros tienen errores' },
  'actions.noColumn': 'no hay ninguna columna seleccionada (defina subject.params.columnKey)',
  'actions.unknownColumn': 'no existe la columna {column}',
  'actions.readOnlyColumn': 'la columna {column} es de solo lectura',
}
