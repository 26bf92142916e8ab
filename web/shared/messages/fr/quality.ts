import type { Text } from '../../../../schemas/messages/format.ts'
import type { qualityMessages } from '../../../../schemas/messages/quality.ts'

export const quality: Record<keyof typeof qualityMessages, Text> = {
  'quality.notListField': 'ne peut être divisé que dans un champ qui contient des listes',
  'quality.otherFieldType': 'doit être le type du champ : {type}',
  'quality.replacedTwice': 'est remplacé par deux valeurs différentes',
  'quality.tooManyValues': 'Le champ {field} a plus de {count} textes différents, le maximum de la méthode `distance`.',
  'quality.tooManyComparisons':
    'Les textes du champ {field} se ressemblent tant que la méthode `distance` demande plus de {count} comparaisons. Utilisez une autre méthode ou un rayon plus petit.',
  'quality.mergedTwice': 'figure plusieurs fois dans ces fusions',
  'quality.notInGroup': 'doit être un enregistrement de cette fusion',
  'quality.notReference': 'doit être un champ de référence',
  'quality.filteredReference': 'a un filtre, les enregistrements manquants ont donc besoin de plus d’une valeur',
  'quality.noLinkedField': 'La feuille référencée ou son champ n’existe pas.',
}
