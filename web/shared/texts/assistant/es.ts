import type en from './en.ts'

const texts: Record<keyof typeof en, string> = {
  askAssistant: 'Preguntar',
  assistant: 'Asistente',
  assistantApplied: 'Aplicado',
  assistantEmpty: 'Pregunte por los datos de este espacio',
  assistantExamples: 'Por ejemplo: ¿Qué valores son incorrectos y puedes corregirlos?',
  assistantHint: 'El asistente no cambia nada por sí mismo. Usted aplica lo que propone y puede deshacerlo.',
  assistantQuestion: 'Pregunta',
  assistantThinking: 'El asistente está respondiendo…',
  assistantUndone: 'Deshecho',
  exampleAfter: 'Después',
  exampleBefore: 'Antes',
  newConversation: 'Nueva conversación',
  proposalConstraint: 'Añadir una regla',
  proposalCreateMissing: 'Crear los registros que faltan',
  proposalEdit: 'Corregir valores',
  proposalImport: 'Importar el archivo',
  proposalIn: 'en {sheet}',
  proposalMerge: 'Combinar duplicados',
  proposalMutation: 'Ejecutar un script',
  proposalReplaceText: 'Reemplazar texto',
  proposalSetValues: 'Establecer valores',
  proposalUpdateRecords: 'Cambiar registros',
}

export default texts
