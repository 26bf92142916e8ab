/** In FFQL, a text in double quotes has its quotes and backslashes escaped. */
export const formatFfqlText = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
