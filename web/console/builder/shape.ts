export interface Constraint {
  type: string
  config?: { [key: string]: unknown } | null
  [key: string]: unknown
}

export interface EnumOption {
  value?: string | number | boolean | null
  label?: string | null
  [key: string]: unknown
}

export interface Field {
  key: string
  type: string
  label?: string | null
  description?: string | null
  alternativeNames?: string[] | null
  constraints?: Constraint[] | null
  config?: { options?: EnumOption[]; ref?: string; key?: string; [key: string]: unknown } | null
  metadata?: unknown
  [key: string]: unknown
}
