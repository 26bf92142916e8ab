import type en from './en.ts'

const texts: Record<keyof typeof en, string> = {
  askAssistant: 'اسأل',
  assistant: 'المساعد',
  assistantApplied: 'تم التطبيق',
  assistantEmpty: 'اسأل عن بيانات هذه المساحة',
  assistantExamples: 'مثلاً: ما القيم الخاطئة، وهل يمكنك تصحيحها؟',
  assistantHint: 'لا يغيّر المساعد شيئًا بنفسه. أنت تطبّق ما يقترحه ويمكنك التراجع عنه.',
  assistantQuestion: 'السؤال',
  assistantThinking: 'المساعد يكتب ردًا…',
  assistantUndone: 'تم التراجع',
  exampleAfter: 'بعد',
  exampleBefore: 'قبل',
  newConversation: 'محادثة جديدة',
  proposalConstraint: 'إضافة قاعدة',
  proposalCreateMissing: 'إنشاء السجلات الناقصة',
  proposalEdit: 'تصحيح القيم',
  proposalImport: 'استيراد الملف',
  proposalIn: 'في {sheet}',
  proposalMerge: 'دمج السجلات المكررة',
  proposalMutation: 'تشغيل برنامج نصي',
  proposalReplaceText: 'استبدال نص',
  proposalSetValues: 'تعيين قيم',
  proposalUpdateRecords: 'تغيير السجلات',
}

export default texts
