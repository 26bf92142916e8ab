import type { Text } from '../../../../schemas/messages/format.ts'
import type { requestMessages } from '../../../../schemas/messages/requests.ts'

export const requests: Record<keyof typeof requestMessages, Text> = {
  'requests.bodyMissing': 'falta',
  'requests.notJsonBecause': 'no es JSON válido: {reason}',
  'requests.tooDeep': 'supera el límite de {count} niveles de anidamiento',
  'requests.tooManyValues':
    'Un cuerpo JSON puede tener como máximo {limit} objetos, listas y miembros; este tiene {values}.',
  'requests.numberOutOfRange': 'contiene un número fuera del intervalo admitido, de 1e-130 a 1e126',
  'requests.bodyTooLarge':
    'El cuerpo de esta solicitud puede tener como máximo {limit} bytes después de decodificar Content-Encoding.',
  'requests.encodingNotSupported': '{encoding} no se admite; use gzip, deflate, br o ninguna codificación',
  'requests.notEncoded': 'no contiene datos {encoding} válidos',

  'requests.idempotencyKeyForm': 'debe tener entre 1 y 255 caracteres ASCII visibles',
  'requests.idempotencyKeyUsed':
    'Esta Idempotency-Key ya se usó para otra solicitud. Use una clave nueva para cada solicitud.',
  'requests.idempotencyKeyInProgress': 'La solicitud con esta Idempotency-Key todavía está en curso.',
  'requests.secretWasShown':
    'La solicitud con esta Idempotency-Key se completó. Su respuesta contenía un secreto, que se muestra una sola vez y no se guarda. Busque lo que se creó, elimínelo si se perdió el secreto y cree otro con una nueva Idempotency-Key.',

  'requests.partFailed': 'Falló una función que leía parte de la hoja. Repita la solicitud.',
  'requests.overloaded': 'El servicio está sobrecargado. Repita la solicitud, con su Idempotency-Key si la tiene.',
  'requests.internal': 'Se produjo un error por nuestra parte; no se cambió nada.',
  'requests.timedOut':
    'La solicitud agotó su tiempo y todavía puede completarse. Compruébelo antes de reintentar o use una tarea.',
  'requests.notResponding': 'El componente {part} no responde.',
  'requests.rateLimit': {
    one: 'Se superó el límite de {count} solicitud por segundo.',
    other: 'Se superó el límite de {count} solicitudes por segundo.',
  },
  'requests.methodNotAllowed': '{path} no admite {method}. Use {allowed}.',

  'requests.changedConcurrently': 'El recurso se cambió al mismo tiempo. Vuelva a cargarlo e inténtelo de nuevo.',
  'requests.tooManyChanges': 'Una solicitud puede cambiar como máximo {limit} elementos; esta cambiaría {items}.',
  'requests.actionTooLarge': 'Una acción puede tener como máximo {limit} bytes como JSON; aquí hay {bytes}.',
  'requests.threadTooLarge': 'Un hilo puede tener como máximo {limit} bytes como JSON; aquí hay {bytes}.',
  'requests.messageTooLarge': 'Un mensaje puede tener como máximo {limit} bytes como JSON; aquí hay {bytes}.',
  'requests.canvasTooLarge': 'Un lienzo puede tener como máximo {limit} bytes como JSON; aquí hay {bytes}.',
  'requests.canvasAreaTooLarge': 'Un área de lienzo puede tener como máximo {limit} bytes como JSON; aquí hay {bytes}.',
  'requests.documentTooLarge': 'Un documento puede tener como máximo {limit} bytes como JSON; aquí hay {bytes}.',
  'requests.eventTooLarge': 'Los eventos se limitan a {limit} bytes de JSON; este evento {topic} tiene {bytes}.',
  'requests.planTooLarge': 'El plan es demasiado grande. El límite es de {limit} bytes comprimidos.',
  'requests.programTooLarge':
    'El programa de asignación es demasiado grande. El límite es de {limit} bytes comprimidos.',

  'requests.environmentSlugTaken': 'El slug {slug} ya lo usa otro entorno, o el entorno se cambió al mismo tiempo.',
  'requests.environmentSlugForm': 'debe constar de letras minúsculas, dígitos y guiones',
  'requests.originForm': 'debe ser un origen como https://app.example.com, o *',
  'requests.lastProduction': 'Este es el último entorno de producción de la cuenta. Cree otro primero.',
  'requests.autobuildOfAppExists': 'Ya existe una configuración de creación automática de la aplicación {appId}.',
  'requests.autobuildWithoutAppExists': 'Ya existe una configuración de creación automática sin aplicación.',
  'requests.tooManySheetsInAll': 'no deben superar las {limit} hojas en total; hay {sheets}',
  'requests.spaceOfOtherEnvironment':
    'no coincide con el entorno del espacio; los espacios no se pueden mover a otro entorno',
  'requests.guestOfOtherEnvironment':
    'no coincide con el entorno del invitado; los invitados no se pueden mover a otro entorno',
  'requests.duplicateEntitlements': 'no debe contener claves duplicadas',
  'requests.month': 'debe ser un mes con el formato yyyy-mm',

  'requests.policiesMaximum': 'Este entorno ya tiene {count} políticas de retención, el máximo.',
  'requests.policyEnvironment': 'no se puede cambiar; cree una política en el otro entorno',
  'requests.namespaceTaken':
    'El espacio de nombres {namespace} ya lo usa otra aplicación, o la aplicación se cambió al mismo tiempo.',
  'requests.otherApp': 'no coincide con la aplicación de la ruta',
  'requests.constraintsMaximum': 'Esta aplicación ya tiene {count} restricciones, el máximo.',
  'requests.validatorTaken': 'Esta aplicación ya tiene una restricción con el validador {validator}.',
  'requests.constraintVersionsMaximum':
    'Esta restricción ya tiene {count} versiones, el máximo. Cree una restricción nueva.',
  'requests.notAnAreaOfCanvas': 'no es un área del mismo lienzo',
  'requests.parentIsDescendant': 'es la propia área o una de sus descendientes',
  'requests.canvasAreasMaximum': 'Este lienzo ya tiene {count} áreas, el máximo.',
  'requests.areaOfOtherCanvas': 'no coincide con el lienzo del área; las áreas no se pueden mover a otro lienzo',
  'requests.messageOfOtherThread': 'no coincide con el hilo del mensaje; los mensajes no se pueden mover a otro hilo',

  'requests.topicForm': 'debe tener la forma <domain>:<event>',
  'requests.subscriptionForm': 'debe tener la forma <domain>:<event>, <domain>:* o **',
  'requests.unknownTopicSuggestion': 'no es un tema: {topic}. ¿Quiso decir {suggestion}?',
  'requests.reservedTopic':
    'no es un tema: {topic}. Los temas de eventos propios no deben usar un dominio de la plataforma, como {domain}.',
  'requests.apiPath': 'debe ser una ruta bajo /api, p. ej. v1/sheets/<id>/records?pageSize=100',
  'requests.eventIdsExclusive': 'no se puede combinar con eventIds',
  'requests.replaySelection': 'o eventIds es obligatorio',
  'requests.replaySelectionOr': 'o eventIds, o {name} es obligatorio',
  'requests.eventsNotDeletable': 'no se admite: los eventos no se pueden eliminar',
  'requests.notInSpace': 'no está en el espacio {spaceId}',

  'requests.webhooksMaximum': 'Este entorno ya tiene {count} webhooks, el máximo.',
  'requests.webhookNotActive': 'El webhook no está activo.',
  'requests.webhookDeliversNothing': 'El webhook no está activo, así que no se le entrega nada.',
  'requests.eventBeingDelivered': 'El evento se está entregando en este momento.',
  'requests.eventNotStored': 'El evento ya no está guardado.',

  'requests.urlNotValid': 'debe ser una URL',
  'requests.urlNotHttps': 'debe empezar por https://',
  'requests.urlWithCredentials': 'no debe contener un nombre de usuario ni una contraseña',
  'requests.urlNotPublic': 'debe ser una dirección pública de internet',
  'requests.urlOfPlatform': 'no debe ser una dirección de la propia plataforma',
  'requests.urlRejected': 'La URL {problem}.',
  'requests.hostNotResolved': 'No se pudo resolver el host {host}.',
  'requests.hostNotPublic': 'El host no tiene una dirección pública de internet.',
  'requests.noResponse': {
    one: 'No se recibió ninguna respuesta en {count} segundo.',
    other: 'No se recibió ninguna respuesta en {count} segundos.',
  },
  'requests.requestFailed': 'La solicitud falló: {reason}.',
  'requests.connectionClosed': 'se cerró la conexión',
}
