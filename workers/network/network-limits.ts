/** Flink's fixed numbers of the network stack (behaviour 8.1), and the bounds that are ours. */

/** NettyShuffleEnvironmentConfiguration: exclusive buffers per channel, floating buffers per gate. */
export const EXCLUSIVE_BUFFERS_PER_CHANNEL = 2
export const FLOATING_BUFFERS_PER_GATE = 8
/** A subpartition with so many buffers makes its whole task unavailable (LocalBufferPool). */
export const BUFFERS_PER_SUBPARTITION_MAX = 10
/** Beyond the pool, to complete the record in hand. */
export const OVERDRAFT_BUFFERS_MAX = 20
/** Ours: what one record may emit beyond pool and overdraft, in bytes of Flink's encoding, over all outputs of a task (pending-output.ts). */
export const PENDING_OUTPUT_BYTES_MAX = 64 * 1024 * 1024

/** Ours: no batch holds more records, whatever the segment size (LIMITS, record transport). */
export const RECORDS_PER_BUFFER_MAX = 4096
/** Ours: words without a number of one dictionary epoch, looked at when a buffer begins; the buffer may add its own to it. */
export const DICTIONARY_WORDS_MAX = 65_536
/** Ours: words of one dictionary epoch with those that the task has numbered. What a buffer may add to it fits into 20 bits too. */
export const DICTIONARY_KEY_WORDS_MAX = 524_288
/** Ours: words that a task numbers over all channels. Twice what one channel's dictionary holds; later words go without a number. */
export const TASK_WORDS_MAX = 1_048_576
/** Ours: events waiting in one queue. Flink has no bound; a task with some thousand stuck barriers fails, and says why. */
export const EVENTS_PER_QUEUE_MAX = 4096

/** Maximum size of a result partition's buffer pool (NettyShuffleUtils). */
export const outputPoolSize = (subpartitions: number): number => subpartitions * 2 + 8
