import type { Text } from '../../../../schemas/messages/format.ts'
import type { shapeMessages } from '../../../../schemas/messages/shape.ts'

export const shape: Record<keyof typeof shapeMessages, Text> = {
  'shape.required': 'ist erforderlich',
  'shape.notValid': 'ist ungültig',
  'shape.notEmpty': 'darf nicht leer sein',
  'shape.duplicate': 'kommt mehrfach vor',

  'shape.string': 'muss ein Text sein',
  'shape.number': 'muss eine Zahl sein',
  'shape.wholeNumber': 'muss eine ganze Zahl sein',
  'shape.trueOrFalse': 'muss true oder false sein',
  'shape.list': 'muss eine Liste sein',
  'shape.object': 'muss ein Objekt sein',
  'shape.null': 'muss null sein',
  'shape.date': 'muss ein Datum sein',
  'shape.id': 'muss eine ID sein',

  'shape.email': 'muss eine E-Mail-Adresse sein',
  'shape.url': 'muss eine URL wie https://example.com/path sein',
  'shape.dateTime': 'muss Datum und Uhrzeit mit Zeitzone sein, etwa 2026-01-31T12:00:00Z',
  'shape.plainDate': 'muss ein Datum wie 2026-01-31 sein',
  'shape.pattern': 'muss dem Muster {pattern} entsprechen',

  'shape.exactly': 'muss genau {value} sein',
  'shape.oneOf': 'muss einer dieser Werte sein: {values}',
  'shape.oneOfSuggestion': 'muss einer dieser Werte sein: {values}. Meinten Sie {suggestion}?',
  'shape.unknownProperties': 'hat unbekannte Eigenschaften: {names}',
  'shape.unknownName': 'ist kein bekannter Name. Meinten Sie {suggestion}?',
  'shape.protoKey': 'ist als Schlüssel nicht erlaubt',

  'shape.charactersAtLeast': 'muss mindestens {count} Zeichen haben',
  'shape.charactersAtMost': 'darf höchstens {count} Zeichen haben',
  'shape.entriesAtLeast': {
    one: 'muss mindestens {count} Eintrag haben',
    other: 'muss mindestens {count} Einträge haben',
  },
  'shape.entriesAtMost': {
    one: 'darf höchstens {count} Eintrag haben',
    other: 'darf höchstens {count} Einträge haben',
  },
  'shape.bytesAsJson': 'darf als JSON höchstens {count} Byte groß sein',
  'shape.atLeast': 'muss mindestens {limit} sein',
  'shape.moreThan': 'muss größer als {limit} sein',
  'shape.atMost': 'darf höchstens {limit} sein',
  'shape.lessThan': 'muss kleiner als {limit} sein',
  'shape.multipleOf': 'muss ein Vielfaches von {divisor} sein',
  'shape.digits': 'muss aus {count} Ziffern bestehen',
  'shape.timetoken': 'muss ein Timetoken sein: {count} Ziffern',
  'shape.moreProblems': { one: 'hat {count} weiteres Problem', other: 'hat {count} weitere Probleme' },
}
