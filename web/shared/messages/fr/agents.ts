import type { agentMessages } from '../../../../schemas/messages/agents.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const agents: Record<keyof typeof agentMessages, Text> = {
  'agents.notDeployed': 'Le déploiement de l’agent {agent} ne s’est pas terminé. Déployez-le à nouveau.',
  'agents.beingDeployed': 'L’agent {agent} est en cours de déploiement par une autre requête. Réessayez.',
  'agents.busFull':
    'Le bus d’événements a atteint sa limite de règles. Supprimez un agent ou demandez une limite plus élevée.',
  'agents.tooManyTopics': {
    one: 'Le nom de ce sujet ne tient pas dans {limit} règles.',
    other: 'Les noms de ces {count} sujets ne tiennent pas dans {limit} règles.',
  },
  'agents.notSubscribed': 'L’agent {agent} n’est pas abonné à {topic} dans {environment}.',
  'agents.disabled': 'L’agent {agent} est désactivé. Activez-le d’abord.',
  'agents.outsideEnvironment': 'doit être l’environnement de l’agent ou l’un de ses espaces',
  'agents.exactTopic': 'doit être un sujet exact ; les caractères génériques ne sont pas pris en charge',
  'agents.settingTooLarge': 'ne doit pas dépasser {limit} octets au format JSON',
  'agents.sourceRequired': 'est obligatoire : le code d’un module CommonJS qui exporte routeEvent(event)',
  'agents.sourceMapNotJson': 'doit être une source map au format JSON',
  'agents.compilerNotJs': 'doit être js',
  'agents.templateNotSupported': 'n’est pas pris en charge ; indiquez le code dans `source`',
  'agents.templateOptionsNotSupported': 'ne sont pas prises en charge ; indiquez le code dans `source`',
  'agents.uploadOrSource': 'ne peut pas être combiné avec source ou sourceMap',

  'agents.packageTooLarge': 'Le paquet de l’agent fait {count} octets une fois compressé ; la limite est de {limit}.',
  'agents.bundleTooLarge': 'Un bundle peut avoir au plus {limit} octets ; celui-ci en a {count}.',
  'agents.bundleInflatesTooLarge':
    'Un bundle peut avoir au plus {limit} octets ; celui-ci est plus grand une fois décompressé.',
  'agents.unknownUpload': 'ne désigne aucun envoi terminé de cet environnement',
  'agents.invalidBundle': 'n’est pas un bundle valide : le JSON {problem}',
  'agents.invalidBundleProperty': 'n’est pas un bundle valide : {property} {problem}',
  'agents.invalidGzip': 'n’est pas un bundle valide : gzip non valide',
  'agents.invalidJson': 'n’est pas un bundle valide : JSON non valide',
  'agents.notAModule': 'doit être un module CommonJS : {reason}',
  'agents.notAModuleAt': 'doit être un module CommonJS : {reason} ({position})',
  'agents.notAModuleAtLine': 'doit être un module CommonJS : {reason} (ligne {line}, colonne {column})',
  'agents.loadTimedOut': {
    one: 'ne s’est pas chargé en {count} seconde',
    other: 'ne s’est pas chargé en {count} secondes',
  },
  'agents.loadOutOfMemory': 'a utilisé plus de {limit} Mo de mémoire pendant le chargement',
  'agents.exitedWhileLoading': 's’est arrêté pendant le chargement',
  'agents.noRoute': 'doit exporter routeEvent(event) ou dispatchEvent(event)',
  'agents.noReason': 'aucune raison n’a été indiquée',
  'agents.notLoadable': 'ne peut pas être chargé : {type} : {reason}',
  'agents.notLoadableAt': 'ne peut pas être chargé : {type} : {reason} ({position})',

  'agents.runFailedSilently': 'La fonction a échoué sans message d’erreur.',
  'agents.eventExpired': 'L’événement a expiré avant que l’agent puisse être appelé.',
  'agents.notCalled': 'La fonction n’a pas pu être appelée : {condition}.',
}
