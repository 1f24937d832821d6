/** `taskmanager.memory.segment-size`: the size of a buffer. Flink: ConfigurationParserUtils.getPageSize. */
import type { ConfigReader } from './config-reader.ts'

const KEY = 'taskmanager.memory.segment-size'
const DEFAULT = 32 * 1024
/** Flink: MemoryManager.MIN_PAGE_SIZE. */
const LEAST = 4096

/** Bytes. What a TaskManager of Flink refuses is a warning in its words: small buffers serve here, where the rates are small too. */
export function parseSegmentSize(config: ConfigReader): number {
  const bytes = config.memory(KEY, { min: 256, max: 1 << 24, text: '256 bytes to 16 mb' }) ?? DEFAULT
  const refusal = bytes < LEAST ? `Minimum memory segment size is ${LEAST}` : Number.isInteger(Math.log2(bytes)) ? null : 'Memory segment size must be a power of 2.'
  if (refusal !== null) {
    config.warn(KEY, `Flink refuses it when a TaskManager starts: "Invalid configuration value for ${KEY} : ${bytes} - ${refusal}" Here it is the size of a buffer all the same.`, 'For Flink give a power of two, "4 kb" or more.')
  }
  return bytes
}
