import type { agentMessages } from '../../../../schemas/messages/agents.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const agents: Record<keyof typeof agentMessages, Text> = {
  'agents.notDeployed': 'El despliegue del agente {agent} no terminó. Despliéguelo de nuevo.',
  'agents.beingDeployed': 'Otra solicitud está desplegando el agente {agent}. Inténtelo de nuevo.',
  'agents.busFull': 'El bus de eventos ha alcanzado su límite de reglas. Elimine un agente o solicite un límite mayor.',
  'agents.tooManyTopics': {
    one: 'El nombre de este tema no cabe en {limit} reglas.',
    other: 'Los nombres de estos {count} temas no caben en {limit} reglas.',
  },
  'agents.notSubscribed': 'El agente {agent} no está suscrito a {topic} en {environment}.',
  'agents.disabled': 'El agente {agent} está desactivado. Actívelo primero.',
  'agents.outsideEnvironment': 'debe ser el entorno del agente o uno de sus espacios',
  'agents.exactTopic': 'debe ser un tema exacto; no se admiten comodines',
  'agents.settingTooLarge': 'no debe superar {limit} bytes como JSON',
  'agents.sourceRequired': 'es obligatorio: el código de un módulo CommonJS que exporta routeEvent(event)',
  'agents.sourceMapNotJson': 'debe ser un mapa de fuentes como texto JSON',
  'agents.compilerNotJs': 'debe ser js',
  'agents.templateNotSupported': 'no se admite; indique el código en `source`',
  'agents.templateOptionsNotSupported': 'no se admiten; indique el código en `source`',
  'agents.uploadOrSource': 'no puede combinarse con source ni sourceMap',

  'agents.packageTooLarge': 'El paquete del agente tiene {count} bytes comprimido; el límite es {limit}.',
  'agents.bundleTooLarge': 'Un paquete puede tener como máximo {limit} bytes; este tiene {count}.',
  'agents.bundleInflatesTooLarge':
    'Un paquete puede tener como máximo {limit} bytes; este es mayor una vez descomprimido.',
  'agents.unknownUpload': 'no corresponde a ninguna carga completada de este entorno',
  'agents.invalidBundle': 'no es un paquete válido: el JSON {problem}',
  'agents.invalidBundleProperty': 'no es un paquete válido: {property} {problem}',
  'agents.invalidGzip': 'no es un paquete válido: gzip no válido',
  'agents.invalidJson': 'no es un paquete válido: JSON no válido',
  'agents.notAModule': 'debe ser un módulo CommonJS: {reason}',
  'agents.notAModuleAt': 'debe ser un módulo CommonJS: {reason} ({position})',
  'agents.notAModuleAtLine': 'debe ser un módulo CommonJS: {reason} (línea {line}, columna {column})',
  'agents.loadTimedOut': { one: 'no se cargó en {count} segundo', other: 'no se cargó en {count} segundos' },
  'agents.loadOutOfMemory': 'utilizó más de {limit} MB de memoria al cargarse',
  'agents.exitedWhileLoading': 'terminó mientras se cargaba',
  'agents.noRoute': 'debe exportar routeEvent(event) o dispatchEvent(event)',
  'agents.noReason': 'no se indicó ningún motivo',
  'agents.notLoadable': 'no se puede cargar: {type}: {reason}',
  'agents.notLoadableAt': 'no se puede cargar: {type}: {reason} ({position})',

  'agents.runFailedSilently': 'La función ha fallado sin mensaje de error.',
  'agents.eventExpired': 'El evento caducó antes de que se pudiera llamar al agente.',
  'agents.notCalled': 'No se pudo llamar a la función: {condition}.',
}
