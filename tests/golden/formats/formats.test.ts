/**
 * The bytes of our files, as hexadecimal text. They are those of Flink: a change of a golden file here breaks every checkpoint that is
 * kept anywhere, and needs a reason.
 */
import { expect, test } from 'vitest'
import { DIRECTORY, writeDirectory } from '../../unit/savepoint/snapshot-directory.ts'

/** Sixteen bytes a line, with their characters. */
function dump(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 16) {
    const line = [...bytes.subarray(at, at + 16)]
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const characters = line.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
    text += `${at.toString(16).padStart(6, '0')}  ${hex.padEnd(47)}  ${characters}\n`
  }
  return text
}

test('_metadata in version 6', async () => {
  await expect(dump(writeDirectory().metadata)).toMatchFileSnapshot('metadata-v6.hex.txt')
})

test.each([0, 1])('keyed file of subtask %d', async (subtask) => {
  await expect(dump(writeDirectory().files.get(`${DIRECTORY}/keyed-${subtask}`)!)).toMatchFileSnapshot(`keyed-${subtask}.hex.txt`)
})
