import type { Text } from '../../../../schemas/messages/format.ts'
import type { requestMessages } from '../../../../schemas/messages/requests.ts'

export const requests: Record<keyof typeof requestMessages, Text> = {
  'requests.bodyMissing': 'est absent',
  'requests.notJsonBecause': 'n’est pas du JSON valide : {reason}',
  'requests.tooDeep': 'dépasse la limite de {count} niveaux d’imbrication',
  'requests.tooManyValues':
    'Un corps JSON peut comporter au plus {limit} objets, listes et membres ; celui-ci en a {values}.',
  'requests.numberOutOfRange': 'contient un nombre hors de la plage prise en charge, de 1e-130 à 1e126',
  'requests.bodyTooLarge':
    'Le corps de cette requête peut comporter au plus {limit} octets après décodage de Content-Encoding.',
  'requests.encodingNotSupported': '{encoding} n’est pas pris en charge ; utilisez gzip, deflate, br ou aucun encodage',
  'requests.notEncoded': 'ne contient pas de données {encoding} valides',

  'requests.idempotencyKeyForm': 'doit comporter de 1 à 255 caractères ASCII visibles',
  'requests.idempotencyKeyUsed':
    'Cette Idempotency-Key a déjà été utilisée pour une autre requête. Utilisez une nouvelle clé pour chaque requête.',
  'requests.idempotencyKeyInProgress': 'La requête avec cette Idempotency-Key est encore en cours.',
  'requests.secretWasShown':
    'La requête avec cette Idempotency-Key est terminée. Sa réponse contenait un secret, affiché une seule fois et non conservé. Recherchez ce qui a été créé, supprimez-le si le secret est perdu, puis créez-en un autre avec une nouvelle Idempotency-Key.',

  'requests.partFailed': 'Une fonction qui lisait une partie de la feuille a échoué. Répétez la requête.',
  'requests.overloaded': 'Le service est surchargé. Répétez la requête, avec sa Idempotency-Key si elle en a une.',
  'requests.internal': 'Une erreur s’est produite de notre côté ; rien n’a été modifié.',
  'requests.timedOut':
    'La requête a expiré et peut encore aboutir. Vérifiez avant de réessayer, ou utilisez une tâche.',
  'requests.notResponding': 'Le composant {part} ne répond pas.',
  'requests.rateLimit': {
    one: 'La limite de {count} requête par seconde est dépassée.',
    other: 'La limite de {count} requêtes par seconde est dépassée.',
  },
  'requests.methodNotAllowed': '{path} ne prend pas en charge {method}. Utilisez {allowed}.',

  'requests.changedConcurrently': 'La ressource a été modifiée en même temps. Rechargez-la et réessayez.',
  'requests.tooManyChanges': 'Une requête peut modifier au plus {limit} éléments ; celle-ci en modifierait {items}.',
  'requests.actionTooLarge': 'Une action peut comporter au plus {limit} octets en JSON ; il y en a {bytes} ici.',
  'requests.threadTooLarge':
    'Un fil de discussion peut comporter au plus {limit} octets en JSON ; il y en a {bytes} ici.',
  'requests.messageTooLarge': 'Un message peut comporter au plus {limit} octets en JSON ; il y en a {bytes} ici.',
  'requests.canvasTooLarge': 'Un canevas peut comporter au plus {limit} octets en JSON ; il y en a {bytes} ici.',
  'requests.canvasAreaTooLarge':
    'Une zone de canevas peut comporter au plus {limit} octets en JSON ; il y en a {bytes} ici.',
  'requests.documentTooLarge': 'Un document peut comporter au plus {limit} octets en JSON ; il y en a {bytes} ici.',
  'requests.eventTooLarge':
    'Les événements sont limités à {limit} octets de JSON ; cet événement {topic} en a {bytes}.',
  'requests.planTooLarge': 'Le plan est trop volumineux. La limite est de {limit} octets une fois compressé.',
  'requests.programTooLarge':
    'Le programme de correspondance est trop volumineux. La limite est de {limit} octets une fois compressé.',

  'requests.environmentSlugTaken':
    'Le slug {slug} est déjà utilisé par un autre environnement, ou l’environnement a été modifié en même temps.',
  'requests.environmentSlugForm': 'doit se composer de lettres minuscules, de chiffres et de tirets',
  'requests.originForm': 'doit être une origine telle que https://app.example.com, ou *',
  'requests.lastProduction': 'C’est le dernier environnement de production du compte. Créez-en d’abord un autre.',
  'requests.autobuildOfAppExists': 'Une configuration de création automatique de l’application {appId} existe déjà.',
  'requests.autobuildWithoutAppExists': 'Une configuration de création automatique sans application existe déjà.',
  'requests.tooManySheetsInAll': 'ne doivent pas dépasser {limit} feuilles au total ; il y en a {sheets}',
  'requests.spaceOfOtherEnvironment':
    'ne correspond pas à l’environnement de l’espace ; un espace ne peut pas être déplacé vers un autre environnement',
  'requests.guestOfOtherEnvironment':
    'ne correspond pas à l’environnement de l’invité ; un invité ne peut pas être déplacé vers un autre environnement',
  'requests.duplicateEntitlements': 'ne doit pas contenir de clés en double',
  'requests.month': 'doit être un mois au format yyyy-mm',

  'requests.policiesMaximum': 'Cet environnement compte déjà {count} règles de conservation, le maximum.',
  'requests.policyEnvironment': 'ne peut pas être modifié ; créez plutôt une règle dans l’autre environnement',
  'requests.namespaceTaken':
    'L’espace de noms {namespace} est déjà utilisé par une autre application, ou l’application a été modifiée en même temps.',
  'requests.otherApp': 'ne correspond pas à l’application du chemin',
  'requests.constraintsMaximum': 'Cette application compte déjà {count} contraintes, le maximum.',
  'requests.validatorTaken': 'Cette application a déjà une contrainte avec le validateur {validator}.',
  'requests.constraintVersionsMaximum':
    'Cette contrainte compte déjà {count} versions, le maximum. Créez plutôt une nouvelle contrainte.',
  'requests.notAnAreaOfCanvas': 'n’est pas une zone du même canevas',
  'requests.parentIsDescendant': 'est la zone elle-même ou l’une de ses descendantes',
  'requests.canvasAreasMaximum': 'Ce canevas compte déjà {count} zones, le maximum.',
  'requests.areaOfOtherCanvas':
    'ne correspond pas au canevas de la zone ; une zone ne peut pas être déplacée vers un autre canevas',
  'requests.messageOfOtherThread':
    'ne correspond pas au fil du message ; un message ne peut pas être déplacé vers un autre fil',

  'requests.topicForm': 'doit être de la forme <domain>:<event>',
  'requests.subscriptionForm': 'doit être de la forme <domain>:<event>, <domain>:* ou **',
  'requests.unknownTopicSuggestion': 'n’est pas un sujet : {topic}. Vouliez-vous dire {suggestion} ?',
  'requests.reservedTopic':
    'n’est pas un sujet : {topic}. Les sujets d’événements personnalisés ne doivent pas utiliser un domaine de la plateforme, tel que {domain}.',
  'requests.apiPath': 'doit être un chemin sous /api, par exemple v1/sheets/<id>/records?pageSize=100',
  'requests.eventIdsExclusive': 'ne peut pas être combiné avec eventIds',
  'requests.replaySelection': 'ou eventIds est obligatoire',
  'requests.replaySelectionOr': 'ou eventIds, ou {name} est obligatoire',
  'requests.eventsNotDeletable': 'n’est pas pris en charge : les événements ne peuvent pas être supprimés',
  'requests.notInSpace': 'n’est pas dans l’espace {spaceId}',

  'requests.webhooksMaximum': 'Cet environnement compte déjà {count} webhooks, le maximum.',
  'requests.webhookNotActive': 'Le webhook n’est pas actif.',
  'requests.webhookDeliversNothing': 'Le webhook n’est pas actif ; rien ne lui est donc livré.',
  'requests.eventBeingDelivered': 'L’événement est en cours de livraison.',
  'requests.eventNotStored': 'L’événement n’est plus enregistré.',

  'requests.urlNotValid': 'doit être une URL',
  'requests.urlNotHttps': 'doit commencer par https://',
  'requests.urlWithCredentials': 'ne doit contenir ni nom d’utilisateur ni mot de passe',
  'requests.urlNotPublic': 'doit être une adresse Internet publique',
  'requests.urlOfPlatform': 'ne doit pas être une adresse de la plateforme elle-même',
  'requests.urlRejected': 'L’URL {problem}.',
  'requests.hostNotResolved': 'L’hôte {host} n’a pas pu être résolu.',
  'requests.hostNotPublic': 'L’hôte n’a pas d’adresse Internet publique.',
  'requests.noResponse': {
    one: 'Aucune réponse n’a été reçue en {count} seconde.',
    other: 'Aucune réponse n’a été reçue en {count} secondes.',
  },
  'requests.requestFailed': 'La requête a échoué : {reason}.',
  'requests.connectionClosed': 'la connexion a été fermée',
}
