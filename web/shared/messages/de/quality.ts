import type { Text } from '../../../../schemas/messages/format.ts'
import type { qualityMessages } from '../../../../schemas/messages/quality.ts'

export const quality: Record<keyof typeof qualityMessages, Text> = {
  'quality.notListField': 'kann nur in einem Feld aufgeteilt werden, das Listen enthält',
  'quality.otherFieldType': 'muss der Typ des Feldes sein: {type}',
  'quality.replacedTwice': 'wird durch zwei verschiedene Werte ersetzt',
  'quality.tooManyValues':
    'Das Feld {field} hat mehr als {count} verschiedene Texte, das Maximum der Methode `distance`.',
  'quality.tooManyComparisons':
    'Die Texte des Feldes {field} sind so ähnlich, dass die Methode `distance` mehr als {count} Vergleiche braucht. Verwenden Sie eine andere Methode oder einen kleineren Radius.',
  'quality.mergedTwice': 'kommt in diesen Zusammenführungen noch einmal vor',
  'quality.notInGroup': 'muss ein Datensatz dieser Zusammenführung sein',
  'quality.notReference': 'muss ein Referenzfeld sein',
  'quality.filteredReference': 'hat einen Filter, daher brauchen die fehlenden Datensätze mehr als einen Wert',
  'quality.noLinkedField': 'Das referenzierte Blatt oder sein Feld existiert nicht.',
}
