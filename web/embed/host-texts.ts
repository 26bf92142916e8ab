/** The few texts outside the frame. The importer's script has no imports at run time, so it carries them. */
import type { ImporterFailure } from '../../packages/react/src/types.ts'

type HostText = 'close' | 'loading' | 'tryAgain' | ImporterFailure['code']

const TEXTS: Record<string, Record<HostText, string>> = {
  en: {
    close: 'Close',
    loading: 'Loading…',
    tryAgain: 'Try again',
    network: 'Can’t reach the importer. Check your connection.',
    key: 'The importer isn’t set up correctly on this page. Contact support.',
    origin: 'The importer isn’t allowed on this page. Contact support.',
    blocked: 'This page blocks the importer. Contact support.',
    frame: 'The importer didn’t load.',
    server: 'Something went wrong. Try again in a moment.',
  },
  de: {
    close: 'Schließen',
    loading: 'Wird geladen …',
    tryAgain: 'Erneut versuchen',
    network: 'Der Import ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
    key: 'Der Import ist auf dieser Seite nicht richtig eingerichtet. Wenden Sie sich an den Support.',
    origin: 'Der Import ist auf dieser Seite nicht erlaubt. Wenden Sie sich an den Support.',
    blocked: 'Diese Seite blockiert den Import. Wenden Sie sich an den Support.',
    frame: 'Der Import wurde nicht geladen.',
    server: 'Etwas ist schiefgelaufen. Versuchen Sie es gleich noch einmal.',
  },
  fr: {
    close: 'Fermer',
    loading: 'Chargement…',
    tryAgain: 'Réessayer',
    network: 'L’outil d’import est injoignable. Vérifiez votre connexion.',
    key: 'L’outil d’import est mal configuré sur cette page. Contactez le support.',
    origin: 'L’outil d’import n’est pas autorisé sur cette page. Contactez le support.',
    blocked: 'Cette page bloque l’outil d’import. Contactez le support.',
    frame: 'L’outil d’import ne s’est pas chargé.',
    server: 'Une erreur est survenue. Réessayez dans un instant.',
  },
  es: {
    close: 'Cerrar',
    loading: 'Cargando…',
    tryAgain: 'Reintentar',
    network: 'No se puede acceder al importador. Compruebe su conexión.',
    key: 'El importador no está bien configurado en esta página. Contacte con soporte.',
    origin: 'El importador no está permitido en esta página. Contacte con soporte.',
    blocked: 'Esta página bloquea el importador. Contacte con soporte.',
    frame: 'El importador no se ha cargado.',
    server: 'Algo ha salido mal. Vuelva a intentarlo en un momento.',
  },
  ar: {
    close: 'إغلاق',
    loading: 'جارٍ التحميل…',
    tryAgain: 'إعادة المحاولة',
    network: 'تعذّر الوصول إلى أداة الاستيراد. تحقّق من اتصالك.',
    key: 'أداة الاستيراد غير مهيّأة بشكل صحيح في هذه الصفحة. تواصل مع الدعم.',
    origin: 'أداة الاستيراد غير مسموح بها في هذه الصفحة. تواصل مع الدعم.',
    blocked: 'هذه الصفحة تحظر أداة الاستيراد. تواصل مع الدعم.',
    frame: 'لم يتم تحميل أداة الاستيراد.',
    server: 'حدث خطأ ما. حاول مرة أخرى بعد قليل.',
  },
}

export interface HostTexts {
  language: string
  texts: Record<HostText, string>
}

export function getHostTexts(language: string | null): HostTexts {
  const wanted = [language, ...navigator.languages].map((tag) => tag?.split('-')[0] ?? '')
  const found = wanted.find((tag) => Object.hasOwn(TEXTS, tag)) ?? 'en'
  return { language: found, texts: TEXTS[found]! }
}
