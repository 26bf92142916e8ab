import { Account } from '../../schemas/accounts/shape.ts'
import { entity, type Stored } from '../table/entity.ts'

export const Accounts = entity({ name: 'account', shape: Account, by: {} })
export type StoredAccount = Stored<typeof Account>
