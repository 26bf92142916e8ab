import type { Text } from '../../../../schemas/messages/format.ts'
import type { jobMessages } from '../../../../schemas/messages/jobs.ts'

export const jobs: Record<keyof typeof jobMessages, Text> = {
  'jobs.recordsDeleted': { one: 'Se eliminó {count} registro', other: 'Se eliminaron {count} registros' },
  'jobs.recordsDeletedFrom': {
    one: 'Se eliminó {count} registro de {sheet}.',
    other: 'Se eliminaron {count} registros de {sheet}.',
  },
  'jobs.deletionFinished': 'Registros eliminados',
  'jobs.deletingRecords': 'Eliminando registros',
  'jobs.recordsChanged': { one: 'Se modificó {count} registro', other: 'Se modificaron {count} registros' },
  'jobs.recordsChangedIn': {
    one: 'Se modificó {count} registro en {sheet}.',
    other: 'Se modificaron {count} registros en {sheet}.',
  },
  'jobs.changeFinished': 'Registros modificados',
  'jobs.changingRecords': 'Modificando registros: {count} listos',
  'jobs.replacingValues': 'Reemplazando valores',
  'jobs.open': 'Abrir {name}',
  'jobs.sheetLocked': 'La hoja {sheet} está bloqueada. Desbloquéela e inténtelo de nuevo.',
  'jobs.nothingToUndo':
    'La tarea no tiene ninguna importación que deshacer: solo la tiene una asignación completada que escribió registros.',
  'jobs.importUndone': 'La importación se deshizo',
  'jobs.noPreview': 'Las tareas con la operación {operation} no tienen vista previa.',

  'jobs.extracting': 'Leyendo {file}',
  'jobs.rowsExtracted': { one: 'Se extrajo {count} fila', other: 'Se extrajeron {count} filas' },
  'jobs.rowsRead': { one: '{file}: {count} fila leída.', other: '{file}: {count} filas leídas.' },
  'jobs.withSkipped': '{result} Omitidos: {names}.',
  'jobs.withMixedEncodings': {
    one: '{result} ({count} línea se leyó como {encoding}, las demás como {main})',
    other: '{result} ({count} líneas se leyeron como {encoding}, las demás como {main})',
  },
  'jobs.withSplitSheets': '{result} (varias tablas de una misma hoja se separaron en hojas distintas: {names})',
  'jobs.withRepeatedHeaders': {
    one: '{result} ({count} encabezado repetido omitido)',
    other: '{result} ({count} encabezados repetidos omitidos)',
  },
  'jobs.extractionFinished': 'Archivo extraído',
  'jobs.recordsExported': { one: 'Se exportó {count} registro', other: 'Se exportaron {count} registros' },
  'jobs.recordsInFile': { one: '{count} registro en {file}.', other: '{count} registros en {file}.' },
  'jobs.exportFinished': 'Exportación finalizada',
  'jobs.exportProgress': { one: '{done} de {count} registro escrito', other: '{done} de {count} registros escritos' },
  'jobs.workbookWithoutSheets': 'El libro no tiene hojas.',
  'jobs.filesPacked': { one: 'Se empaquetó {count} archivo', other: 'Se empaquetaron {count} archivos' },
  'jobs.agentVersionExported': {
    one: 'Se exportó la versión {version} de {agent}: {count} archivo',
    other: 'Se exportó la versión {version} de {agent}: {count} archivos',
  },
  'jobs.agentFiles': { one: '{agent}: {count} archivo.', other: '{agent}: {count} archivos.' },
  'jobs.bundleInsteadOfSources':
    '{result} El mapa de fuentes no contiene fuentes, por lo que el archivo incluye el paquete compilado.',
  'jobs.agentExportFinished': 'Agente exportado',

  'jobs.submitted': 'Enviado',
  'jobs.recordsSubmitted': { one: '{count} registro enviado', other: '{count} registros enviados' },
  'jobs.submittedAndLocked': {
    one: 'Se envió {count} registro. Ya no se puede modificar aquí.',
    other: 'Se enviaron {count} registros. Ya no se pueden modificar aquí.',
  },
  'jobs.downloadCopy': 'Descargar una copia',
  'jobs.noSubmitAction': 'El libro no tiene ninguna acción con la operación submit-and-lock.',
  'jobs.alreadySubmitted': 'Estos datos ya se enviaron.',

  'jobs.failed': 'La tarea ha fallado',
  'jobs.tryAgain': 'Reintentar',
  'jobs.unexpectedFailure': 'Se produjo un error por nuestra parte. Inténtelo más tarde.',
  'jobs.timeLimitExceeded':
    'La tarea superó el tiempo máximo de una ejecución. Divida los datos en partes más pequeñas.',
  'jobs.noListener': {
    one: 'Ningún listener se hizo cargo de la tarea en {count} hora. Inicie un listener para {operation}.',
    other: 'Ningún listener se hizo cargo de la tarea en {count} horas. Inicie un listener para {operation}.',
  },
  'jobs.noSignOfLife': {
    one: 'La tarea no ha dado señales de actividad durante {count} hora. Es probable que su listener se haya detenido.',
    other:
      'La tarea no ha dado señales de actividad durante {count} horas. Es probable que su listener se haya detenido.',
  },
  'jobs.noSignOfLifePastEstimate': {
    one: 'La tarea no ha dado señales de actividad durante {count} hora tras la finalización prevista. Es probable que su listener se haya detenido.',
    other:
      'La tarea no ha dado señales de actividad durante {count} horas tras la finalización prevista. Es probable que su listener se haya detenido.',
  },
  'jobs.predecessorEnded': 'Su predecesora {job} tiene el estado {status}.',
  'jobs.predecessorRemoved': 'Su predecesora {job} se ha eliminado.',
  'jobs.parentEnded': 'La tarea principal tiene el estado {status}.',
  'jobs.scheduleRemoved': 'Su acción ya no tiene esta programación.',

  'jobs.retryFirst': '{job} tiene el estado {status}; reinténtela primero',
  'jobs.tooManySuccessors': '{job} ya tiene {count} sucesoras, el máximo',
  'jobs.wrongStatus': 'La tarea tiene el estado {status}. «{trigger}» solo es posible con: {states}.',
  'jobs.statusNotSettable': 'no puede establecerse en {status}',
  'jobs.statusWhenScheduling': 'no puede ser {status} al programar una tarea; omítalo',
  'jobs.notForeground':
    'Solo se puede confirmar el resultado de una tarea en modo foreground; esta tiene el modo {mode}.',
  'jobs.notWithImmediate': 'no puede combinarse con el trigger "immediate"',
  'jobs.notWithPlan': 'no puede combinarse con un plan: cada repetición necesitaría el suyo',
  'jobs.notItsEnvironment': 'no es el entorno del origen de la tarea; omítalo',
  'jobs.tooLarge':
    'Las tareas tienen un límite de {limit} bytes, incluidos config, input, metadata y outcome; esta tiene {count}. Guarde los datos en un archivo o en registros y haga referencia a ellos.',
  'jobs.splitTooLarge':
    'Las partes de una tarea tienen un límite de {limit} bytes en total, incluidas las copias de input, config y metadata; estas tienen {count}. Guarde los datos en un archivo o en registros y haga referencia a ellos.',
  'jobs.platformJobNotSplittable':
    'La plataforma ejecuta {operation}. Solo se pueden dividir las tareas de los listeners.',
  'jobs.waitsForPredecessors': 'La tarea espera a sus predecesoras. Divídala cuando esté lista.',
  'jobs.downloadAddress': 'debe ser {filePath}, {sheetPath} o una dirección https completa',
  'jobs.pageAddress': 'debe ser una dirección http o https completa, o una ruta que empiece por una sola /',
  'jobs.outcomeTrigger':
    'debe ser manual, automatic o automatic_silent, o un objeto con uno de estos valores como type',
  'jobs.unknownField': 'no existe el campo {field}',
  'jobs.tooManyForWorksheet':
    'Una hoja de cálculo admite {count} registros como máximo. Exporte como CSV, JSON Lines o Parquet.',
  'jobs.commentsNeedWorkbook': 'solo XLSX y ODS tienen comentarios',
  'jobs.unknownSheetField': 'la hoja no tiene el campo {field}',
  'jobs.sameSheet': 'debe ser una hoja distinta del origen',
  'jobs.sheetRequired': 'es obligatorio porque el origen de la tarea no es una hoja',
}
