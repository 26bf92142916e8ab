import type { Text } from '../../../../schemas/messages/format.ts'
import type { requestMessages } from '../../../../schemas/messages/requests.ts'

export const requests: Record<keyof typeof requestMessages, Text> = {
  'requests.bodyMissing': 'fehlt',
  'requests.notJsonBecause': 'ist kein gültiges JSON: {reason}',
  'requests.tooDeep': 'überschreitet die Grenze von {count} Verschachtelungsebenen',
  'requests.tooManyValues':
    'Ein JSON-Körper darf höchstens {limit} Objekte, Listen und Elemente haben; dieser hat {values}.',
  'requests.numberOutOfRange': 'enthält eine Zahl außerhalb des unterstützten Bereichs von 1e-130 bis 1e126',
  'requests.bodyTooLarge':
    'Der Körper dieser Anfrage darf nach dem Aufheben von Content-Encoding höchstens {limit} Byte groß sein.',
  'requests.encodingNotSupported':
    '{encoding} wird nicht unterstützt; verwenden Sie gzip, deflate, br oder keine Kodierung',
  'requests.notEncoded': 'sind keine gültigen {encoding}-Daten',

  'requests.idempotencyKeyForm': 'muss aus 1 bis 255 sichtbaren ASCII-Zeichen bestehen',
  'requests.idempotencyKeyUsed':
    'Dieser Idempotency-Key wurde bereits für eine andere Anfrage verwendet. Verwenden Sie für jede Anfrage einen neuen Schlüssel.',
  'requests.idempotencyKeyInProgress': 'Die Anfrage mit diesem Idempotency-Key läuft noch.',
  'requests.secretWasShown':
    'Die Anfrage mit diesem Idempotency-Key wurde abgeschlossen. Ihre Antwort enthielt ein Geheimnis, das nur einmal angezeigt und nicht gespeichert wird. Sehen Sie nach, was erstellt wurde, löschen Sie es, falls das Geheimnis verloren ist, und erstellen Sie ein anderes mit einem neuen Idempotency-Key.',

  'requests.partFailed':
    'Eine Funktion, die einen Teil des Blatts las, ist fehlgeschlagen. Wiederholen Sie die Anfrage.',
  'requests.overloaded':
    'Der Dienst ist überlastet. Wiederholen Sie die Anfrage, gegebenenfalls mit ihrem Idempotency-Key.',
  'requests.internal': 'Auf unserer Seite ist ein Fehler aufgetreten; es wurde nichts geändert.',
  'requests.timedOut':
    'Die Anfrage hat zu lange gedauert und wird möglicherweise noch abgeschlossen. Prüfen Sie das vor einem neuen Versuch, oder verwenden Sie einen Auftrag.',
  'requests.notResponding': 'Die Komponente {part} reagiert nicht.',
  'requests.rateLimit': {
    one: 'Die Grenze von {count} Anfrage pro Sekunde wurde überschritten.',
    other: 'Die Grenze von {count} Anfragen pro Sekunde wurde überschritten.',
  },
  'requests.methodNotAllowed': '{path} unterstützt {method} nicht. Verwenden Sie {allowed}.',

  'requests.changedConcurrently':
    'Die Ressource wurde gleichzeitig geändert. Laden Sie sie neu, und versuchen Sie es erneut.',
  'requests.tooManyChanges': 'Eine Anfrage kann höchstens {limit} Einträge ändern; diese würde {items} ändern.',
  'requests.actionTooLarge': 'Eine Aktion darf als JSON höchstens {limit} Byte groß sein; hier sind es {bytes}.',
  'requests.threadTooLarge': 'Ein Thread darf als JSON höchstens {limit} Byte groß sein; hier sind es {bytes}.',
  'requests.messageTooLarge': 'Eine Nachricht darf als JSON höchstens {limit} Byte groß sein; hier sind es {bytes}.',
  'requests.canvasTooLarge': 'Ein Canvas darf als JSON höchstens {limit} Byte groß sein; hier sind es {bytes}.',
  'requests.canvasAreaTooLarge':
    'Ein Canvas-Bereich darf als JSON höchstens {limit} Byte groß sein; hier sind es {bytes}.',
  'requests.documentTooLarge': 'Ein Dokument darf als JSON höchstens {limit} Byte groß sein; hier sind es {bytes}.',
  'requests.eventTooLarge': 'Ereignisse dürfen höchstens {limit} Byte JSON haben; dieses Ereignis {topic} hat {bytes}.',
  'requests.planTooLarge': 'Der Plan ist zu groß. Die Grenze liegt komprimiert bei {limit} Byte.',
  'requests.programTooLarge': 'Das Zuordnungsprogramm ist zu groß. Die Grenze liegt komprimiert bei {limit} Byte.',

  'requests.environmentSlugTaken':
    'Der Slug {slug} wird bereits von einer anderen Umgebung verwendet, oder die Umgebung wurde gleichzeitig geändert.',
  'requests.environmentSlugForm': 'muss aus Kleinbuchstaben, Ziffern und Bindestrichen bestehen',
  'requests.originForm': 'muss eine Herkunft wie https://app.example.com oder * sein',
  'requests.lastProduction': 'Dies ist die letzte Produktionsumgebung des Kontos. Erstellen Sie zuerst eine andere.',
  'requests.autobuildOfAppExists': 'Eine Autobuild-Konfiguration der App {appId} existiert bereits.',
  'requests.autobuildWithoutAppExists': 'Eine Autobuild-Konfiguration ohne App existiert bereits.',
  'requests.tooManySheetsInAll': 'dürfen zusammen höchstens {limit} Blätter haben; es sind {sheets}',
  'requests.spaceOfOtherEnvironment':
    'ist nicht die Umgebung des Bereichs; Bereiche können nicht in eine andere Umgebung verschoben werden',
  'requests.guestOfOtherEnvironment':
    'ist nicht die Umgebung des Gasts; Gäste können nicht in eine andere Umgebung verschoben werden',
  'requests.duplicateEntitlements': 'darf keine doppelten Schlüssel enthalten',
  'requests.month': 'muss ein Monat im Format yyyy-mm sein',

  'requests.policiesMaximum': 'Diese Umgebung hat bereits {count} Aufbewahrungsrichtlinien, das ist die Höchstzahl.',
  'requests.policyEnvironment':
    'kann nicht geändert werden; erstellen Sie stattdessen eine Richtlinie in der anderen Umgebung',
  'requests.namespaceTaken':
    'Der Namensraum {namespace} wird bereits von einer anderen App verwendet, oder die App wurde gleichzeitig geändert.',
  'requests.otherApp': 'ist nicht die App im Pfad',
  'requests.constraintsMaximum': 'Diese App hat bereits {count} Einschränkungen, das ist die Höchstzahl.',
  'requests.validatorTaken': 'Diese App hat bereits eine Einschränkung mit dem Validator {validator}.',
  'requests.constraintVersionsMaximum':
    'Diese Einschränkung hat bereits {count} Versionen, das ist die Höchstzahl. Erstellen Sie stattdessen eine neue Einschränkung.',
  'requests.notAnAreaOfCanvas': 'ist kein Bereich desselben Canvas',
  'requests.parentIsDescendant': 'ist der Bereich selbst oder liegt darin',
  'requests.canvasAreasMaximum': 'Dieser Canvas hat bereits {count} Bereiche, das ist die Höchstzahl.',
  'requests.areaOfOtherCanvas':
    'ist nicht der Canvas des Bereichs; Bereiche können nicht auf einen anderen Canvas verschoben werden',
  'requests.messageOfOtherThread':
    'ist nicht der Thread der Nachricht; Nachrichten können nicht in einen anderen Thread verschoben werden',

  'requests.topicForm': 'muss die Form <domain>:<event> haben',
  'requests.subscriptionForm': 'muss die Form <domain>:<event>, <domain>:* oder ** haben',
  'requests.unknownTopicSuggestion': 'ist kein Thema: {topic}. Meinten Sie {suggestion}?',
  'requests.reservedTopic':
    'ist kein Thema: {topic}. Themen eigener Ereignisse dürfen keine Domain der Plattform wie {domain} verwenden.',
  'requests.apiPath': 'muss ein Pfad unter /api sein, z. B. v1/sheets/<id>/records?pageSize=100',
  'requests.eventIdsExclusive': 'kann nicht mit eventIds kombiniert werden',
  'requests.replaySelection': 'oder eventIds ist erforderlich',
  'requests.replaySelectionOr': 'oder eventIds oder {name} ist erforderlich',
  'requests.eventsNotDeletable': 'wird nicht unterstützt: Ereignisse können nicht gelöscht werden',
  'requests.notInSpace': 'ist nicht im Bereich {spaceId}',

  'requests.webhooksMaximum': 'Diese Umgebung hat bereits {count} Webhooks, das ist die Höchstzahl.',
  'requests.webhookNotActive': 'Der Webhook ist nicht aktiv.',
  'requests.webhookDeliversNothing': 'Der Webhook ist nicht aktiv, daher wird ihm nichts zugestellt.',
  'requests.eventBeingDelivered': 'Das Ereignis wird gerade zugestellt.',
  'requests.eventNotStored': 'Das Ereignis ist nicht mehr gespeichert.',

  'requests.urlNotValid': 'muss eine URL sein',
  'requests.urlNotHttps': 'muss mit https:// beginnen',
  'requests.urlWithCredentials': 'darf keinen Benutzernamen und kein Passwort enthalten',
  'requests.urlNotPublic': 'muss eine öffentliche Internetadresse sein',
  'requests.urlOfPlatform': 'darf keine Adresse der Plattform selbst sein',
  'requests.urlRejected': 'Die URL {problem}.',
  'requests.hostNotResolved': 'Der Host {host} konnte nicht aufgelöst werden.',
  'requests.hostNotPublic': 'Der Host hat keine öffentliche Internetadresse.',
  'requests.noResponse': {
    one: 'Innerhalb von {count} Sekunde kam keine Antwort.',
    other: 'Innerhalb von {count} Sekunden kam keine Antwort.',
  },
  'requests.requestFailed': 'Die Anfrage ist fehlgeschlagen: {reason}.',
  'requests.connectionClosed': 'Die Verbindung wurde geschlossen',
}
