import type { StorageOp } from '../../model/storage.ts'

const TRANSFER_FROM_BYTES = 32 * 1024

/** The buffers of a request that are worth moving instead of copying: what is written belongs to the file system. */
export function bytesToTransfer(op: StorageOp): ArrayBuffer[] {
  if (op.type !== 'transact') return []
  const buffers = new Set<ArrayBuffer>()
  for (const { bytes } of op.writes) {
    const whole = bytes.byteLength === bytes.buffer.byteLength
    if (whole && bytes.byteLength >= TRANSFER_FROM_BYTES && bytes.buffer instanceof ArrayBuffer) buffers.add(bytes.buffer)
  }
  return [...buffers]
}
