import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SharedStateRegistry } from '../../../workers/coordinator/shared-state-registry.ts'

/** Each checkpoint: which of the files of the one before it keeps, how many new ones it writes; and whether it completes. */
const history = fc.array(
  fc.record({ keep: fc.array(fc.boolean(), { maxLength: 8 }), fresh: fc.nat({ max: 3 }), completes: fc.boolean() }),
  { minLength: 1, maxLength: 30 },
)

describe('the shared-state registry', () => {
  it('holds what the retained checkpoints use, hands out each other file once, and nothing that is still used', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 4 }), (checkpoints, retain) => {
        const registry = new SharedStateRegistry()
        const written = new Set<string>()
        const deleted: string[] = []
        let base: readonly string[] = []
        let retained: { readonly id: number; readonly files: readonly string[] }[] = []
        checkpoints.forEach(({ keep, fresh, completes }, index) => {
          const id = index + 1
          const kept = base.filter((_, at) => keep[at] === true)
          const added = Array.from({ length: fresh }, (_, at) => `/shared/${id}-${at}`)
          for (const path of kept) registry.register({ kind: 'placeholder', path, size: 1 }, id)
          for (const path of added) registry.register({ kind: 'file', path, size: 1 }, id)
          for (const path of added) written.add(path)
          if (!completes) return
          base = [...kept, ...added]
          retained = [...retained, { id, files: base }].slice(-retain)
          deleted.push(...registry.unregisterUnused(retained[0]?.id ?? 0).files)
          const used = new Set(retained.flatMap(({ files }) => files))
          expect(deleted.filter((path) => used.has(path))).toEqual([])
          expect(new Set(deleted).size).toBe(deleted.length)
          // What a checkpoint that did not complete has written stays until one with a higher number has.
          for (const path of used) expect(registry.files).toContain(path)
        })
        deleted.push(...registry.unregisterUnused(Infinity).files)
        expect(new Set(deleted)).toEqual(written)
      }),
    )
  })
})
