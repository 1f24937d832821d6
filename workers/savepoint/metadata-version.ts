/** First four bytes of every `_metadata`. */
export const METADATA_MAGIC = 0x4960672d
/** Written unless another target is asked for: of Flink 2.1. */
export const METADATA_VERSION = 6
/** Read: of Flink 1.3 … */
export const METADATA_VERSION_MIN = 2
/** … to the development line of 2026. */
export const METADATA_VERSION_MAX = 7

/** What came with which version. Flink: MetadataV3Serializer … MetadataV7Serializer. */
export const FIRST_WITH_COORDINATOR_AND_CHANNELS = 3
export const FIRST_WITH_PROPERTIES = 4
export const FIRST_WITH_NAMES = 5
export const FIRST_WITH_REUSE = 7

export const MASTER_STATE_MAGIC = 0xc96b1696 | 0
