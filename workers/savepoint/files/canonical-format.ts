/** Numbers of the canonical keyed file. Flink: FullSnapshotUtil, CompositeKeySerializationUtils, ListDelimitedSerializer. */

/** Instead of a state id: no more entries in this key group. */
export const CANONICAL_END_OF_GROUP = 0xffff
/** Between the elements of a list: a comma. */
export const LIST_DELIMITER = 0x2c
/** Top bit of a key's first byte: the last entry of its state in this key group. */
export const LAST_OF_STATE = 0x80

/** Bytes of the key group in front of a key. */
export const keyGroupPrefixLength = (maxParallelism: number): number => (maxParallelism > 128 ? 2 : 1)
