import type { agentMessages } from '../../../../schemas/messages/agents.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const agents: Record<keyof typeof agentMessages, Text> = {
  'agents.notDeployed':
    'Die Bereitstellung des Agents {agent} wurde nicht abgeschlossen. Stellen Sie ihn erneut bereit.',
  'agents.beingDeployed':
    'Der Agent {agent} wird gerade durch eine andere Anfrage bereitgestellt. Versuchen Sie es erneut.',
  'agents.busFull':
    'Der Event-Bus hat die Höchstzahl an Regeln erreicht. Löschen Sie einen Agent oder beantragen Sie ein höheres Limit.',
  'agents.tooManyTopics': {
    one: 'Der Name dieses Themas passt nicht in {limit} Regeln.',
    other: 'Die Namen dieser {count} Themen passen nicht in {limit} Regeln.',
  },
  'agents.notSubscribed': 'Der Agent {agent} hat {topic} in {environment} nicht abonniert.',
  'agents.disabled': 'Der Agent {agent} ist deaktiviert. Aktivieren Sie ihn zuerst.',
  'agents.outsideEnvironment': 'muss die Umgebung des Agents oder einer ihrer Bereiche sein',
  'agents.exactTopic': 'muss ein genaues Thema sein; Platzhalter werden nicht unterstützt',
  'agents.settingTooLarge': 'darf als JSON höchstens {limit} Bytes groß sein',
  'agents.sourceRequired': 'ist erforderlich: der Quelltext eines CommonJS-Moduls, das routeEvent(event) exportiert',
  'agents.sourceMapNotJson': 'muss eine Source Map als JSON-Text sein',
  'agents.compilerNotJs': 'muss js sein',
  'agents.templateNotSupported': 'wird nicht unterstützt; geben Sie den Code in `source` an',
  'agents.templateOptionsNotSupported': 'werden nicht unterstützt; geben Sie den Code in `source` an',
  'agents.uploadOrSource': 'kann nicht mit source oder sourceMap kombiniert werden',

  'agents.packageTooLarge': 'Das Paket des Agents hat komprimiert {count} Bytes; erlaubt sind höchstens {limit}.',
  'agents.bundleTooLarge': 'Ein Bundle darf höchstens {limit} Bytes haben; dieses hat {count}.',
  'agents.bundleInflatesTooLarge': 'Ein Bundle darf höchstens {limit} Bytes haben; dieses ist entpackt größer.',
  'agents.unknownUpload': 'bezeichnet keinen abgeschlossenen Upload dieser Umgebung',
  'agents.invalidBundle': 'ist kein gültiges Bundle: das JSON {problem}',
  'agents.invalidBundleProperty': 'ist kein gültiges Bundle: {property} {problem}',
  'agents.invalidGzip': 'ist kein gültiges Bundle: ungültiges gzip',
  'agents.invalidJson': 'ist kein gültiges Bundle: ungültiges JSON',
  'agents.notAModule': 'muss ein CommonJS-Modul sein: {reason}',
  'agents.notAModuleAt': 'muss ein CommonJS-Modul sein: {reason} ({position})',
  'agents.notAModuleAtLine': 'muss ein CommonJS-Modul sein: {reason} (Zeile {line}, Spalte {column})',
  'agents.loadTimedOut': {
    one: 'wurde nicht innerhalb von {count} Sekunde geladen',
    other: 'wurde nicht innerhalb von {count} Sekunden geladen',
  },
  'agents.loadOutOfMemory': 'hat beim Laden mehr als {limit} MB Arbeitsspeicher benötigt',
  'agents.exitedWhileLoading': 'wurde beim Laden beendet',
  'agents.noRoute': 'muss routeEvent(event) oder dispatchEvent(event) exportieren',
  'agents.noReason': 'es wurde kein Grund angegeben',
  'agents.notLoadable': 'kann nicht geladen werden: {type}: {reason}',
  'agents.notLoadableAt': 'kann nicht geladen werden: {type}: {reason} ({position})',

  'agents.runFailedSilently': 'Die Funktion ist ohne Fehlermeldung fehlgeschlagen.',
  'agents.eventExpired': 'Das Ereignis ist abgelaufen, bevor der Agent aufgerufen werden konnte.',
  'agents.notCalled': 'Die Funktion konnte nicht aufgerufen werden: {condition}.',
}
