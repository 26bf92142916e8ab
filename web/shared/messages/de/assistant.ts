import type { assistantMessages } from '../../../../schemas/messages/assistant.ts'
import type { Text } from '../../../../schemas/messages/format.ts'

export const assistant: Record<keyof typeof assistantMessages, Text> = {
  'assistant.notConfigured': 'Diese Umgebung hat keinen Assistenten. Ein Administrator kann sein Modell festlegen.',
  'assistant.busy': 'Der Assistent antwortet noch auf die letzte Nachricht dieses Threads.',
  'assistant.threadFull':
    'Dieser Thread hat {count} Nachrichten, das Maximum mit dem Assistenten. Beginnen Sie einen neuen Thread.',
  'assistant.dayFull': {
    one: 'Der Assistent dieser Umgebung wurde heute {count} Mal gefragt, das Maximum.',
    other: 'Der Assistent dieser Umgebung wurde heute {count} Mal gefragt, das Maximum.',
  },
  'assistant.otherResource': 'Der Assistent braucht einen Thread zu einem Space, einer Arbeitsmappe oder einem Blatt.',
  'assistant.byMessage': 'Antworten des Assistenten werden mit einer Nachricht in ihrem Thread angefordert.',
  'assistant.replying': 'Antwortet',
  'assistant.replied': 'Beantwortet',
  'assistant.noReply': 'Der Thread oder seine Frage wurde gelöscht, deshalb gibt es keine Antwort.',
  'assistant.required': 'ist mit dem Anbieter {provider} erforderlich',
  'assistant.unused': 'wird mit dem Anbieter {provider} nicht verwendet',
  'assistant.modelNotAllowed': 'ist keines der Modelle dieser Installation: {models}',
  'assistant.noModels': 'ist nicht möglich, weil diese Installation keine Modelle von Amazon Bedrock erlaubt',
  'assistant.keyForAddress':
    'ist erneut erforderlich, weil der gespeicherte Schlüssel nur für die frühere Adresse gilt',
  'assistant.modelFailed': 'Das Modell war nicht erreichbar: {reason} Es wurde nichts vorgeschlagen.',
  'assistant.modelStatus': 'Das Modell antwortete mit Status {status}. Es wurde nichts vorgeschlagen.',
  'assistant.modelTooLarge': 'Die Antwort des Modells hat mehr als {limit} Byte. Es wurde nichts vorgeschlagen.',
  'assistant.modelUnclear': 'Die Antwort des Modells war nicht verständlich. Es wurde nichts vorgeschlagen.',
  'assistant.tooManyCalls': 'Das Modell kam in {count} Schritten zu keinem Ende. Es wurde nichts vorgeschlagen.',
  'assistant.outOfTime': 'Das Modell brauchte länger als {count} Sekunden. Es wurde nichts vorgeschlagen.',
  'assistant.accessEnded':
    'Der Zugang, mit dem diese Frage gestellt wurde, ist beendet. Es wurde nichts vorgeschlagen.',
  'assistant.failed': 'Bei uns ist etwas schiefgegangen. Es wurde nichts vorgeschlagen.',
  'assistant.beingApplied': 'Jemand anderes wendet diesen Vorschlag gerade an.',
  'assistant.undone': 'Dieser Vorschlag wurde rückgängig gemacht. Fragen Sie den Assistenten erneut.',
  'assistant.notApplied': 'Dieser Vorschlag wurde nicht angewendet.',
  'assistant.stillRunning':
    'Der Job dieses Vorschlags läuft noch. Machen Sie ihn rückgängig, wenn der Job abgeschlossen ist.',
  'assistant.nothingToUndo': 'Dieser Vorschlag hat keine Datensätze geändert; es gibt nichts rückgängig zu machen.',
  'assistant.fieldChanged': 'Das Feld {field} wurde seit der Vorschau geändert.',
}
