import type en from './en.ts'

const texts: Record<keyof typeof en, string> = {
  askAssistant: 'Demander',
  assistant: 'Assistant',
  assistantApplied: 'Appliqué',
  assistantEmpty: 'Posez une question sur les données de cet espace',
  assistantExamples: 'Par exemple : quelles valeurs sont fausses, et peux-tu les corriger ?',
  assistantHint: 'L’assistant ne modifie rien lui-même. Vous appliquez ce qu’il propose et pouvez l’annuler.',
  assistantQuestion: 'Question',
  assistantThinking: 'L’assistant répond…',
  assistantUndone: 'Annulé',
  exampleAfter: 'Après',
  exampleBefore: 'Avant',
  newConversation: 'Nouvelle conversation',
  proposalConstraint: 'Ajouter une règle',
  proposalCreateMissing: 'Créer les enregistrements manquants',
  proposalEdit: 'Corriger des valeurs',
  proposalImport: 'Importer le fichier',
  proposalIn: 'dans {sheet}',
  proposalMerge: 'Fusionner les doublons',
  proposalMutation: 'Exécuter un script',
  proposalReplaceText: 'Remplacer du texte',
  proposalSetValues: 'Définir des valeurs',
  proposalUpdateRecords: 'Modifier des enregistrements',
}

export default texts
