/** First four bytes of every `_metadata`. */
export const METADATA_MAGIC = 0x4960672d
/** Written: of Flink 2.1. */
export const METADATA_VERSION = 6
/** Read: of Flink 1.11 … 2.1. */
export const METADATA_VERSION_MIN = 3
