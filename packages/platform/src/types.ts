export interface PlatformOptions {
  /** Folder of the data, which is created if it is missing. */
  dataDir: string
  /** Port of the application and the API; 0 takes a free one. */
  port?: number
  /** Port of the AWS services; a free one by default. */
  cloudPort?: number
}

export interface LocalEnvironment {
  id: string
  name: string
  isProd: boolean
  secretKey: string
  publishableKey: string
}

export interface PlatformInfo {
  /** The address of the application; the API is below `/api/v1`. */
  url: string
  dataDir: string
  accountId: string
  admin: { userId: string; email: string; password: string }
  environments: LocalEnvironment[]
  /** The embedded AWS services, with credentials that are new at each start. */
  aws: { endpoint: string; environment: Record<string, string> }
}

export interface Platform extends PlatformInfo {
  /** Resolves once no function and no agent runs or waits. */
  waitUntilIdle(): Promise<void>
  /** Waits for running requests, at most a few seconds. */
  stop(): Promise<void>
}

export interface ProcessOptions extends Omit<PlatformOptions, 'dataDir'> {
  /** By default a temporary folder, which is removed when the platform stops. */
  dataDir?: string
  /** Called with each line that the platform writes. By default lines appear on stderr. */
  onLog?: (line: string) => void
}
