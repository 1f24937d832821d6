import { murmur3Hex128 } from '../base/murmur3.ts'
import { encodeUtf8 } from '../base/utf8.ts'
import { operatorId, type OperatorId } from './ids.ts'

/** The operator id that Flink derives from a uid (StreamGraphHasherV2, formats 17): state finds its operator by this. */
export const operatorIdOfUid = (uid: string): OperatorId => operatorId(murmur3Hex128(encodeUtf8(uid)))
