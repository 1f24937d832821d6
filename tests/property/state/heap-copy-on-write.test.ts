import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cloneGraph } from '../../../workers/base/clone.ts'
import { bare } from '../../../workers/model/schema.ts'
import type { Schema, Value } from '../../../workers/model/schema.ts'
import type { KeyedSnapshot } from '../../../workers/state/backend.ts'
import { HeapKeyedStateBackend } from '../../../workers/state/heap/heap-keyed-state-backend.ts'

const MAX_PARALLELISM = 2
const RANGE = { start: 0, end: MAX_PARALLELISM - 1 }
const KEY: Schema = bare('Int')
const STATES: readonly { readonly name: string; readonly schema: Schema }[] = [
  { name: 'count', schema: bare('Long') },
  { name: 'last', schema: { kind: 'row', fields: [{ name: 'word', type: 'String' }, { name: 'n', type: 'Int' }] } },
]

type Command =
  | { readonly do: 'update'; readonly key: number; readonly state: number; readonly n: number }
  | { readonly do: 'clear'; readonly key: number; readonly state: number }
  | { readonly do: 'snapshot' }
  | { readonly do: 'advance'; readonly which: number; readonly budget: number }
  | { readonly do: 'abort'; readonly which: number }

const command = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('update' as const), key: fc.nat(12), state: fc.nat(1), n: fc.integer() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('clear' as const), key: fc.nat(12), state: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('snapshot' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('advance' as const), which: fc.nat(3), budget: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), which: fc.nat(3) }) },
)

type Model = Map<string, string>
const valueOf = (state: number, n: number): Value => (state === 0 ? n : [`w${n}`, n])
const cell = (state: string, key: Value): string => JSON.stringify([state, key])

interface World {
  backend: HeapKeyedStateBackend
  open: { snapshot: KeyedSnapshot; expected: Model }[]
}

/** What the backend holds, and what a file of it restores to. */
function contents(backend: HeapKeyedStateBackend): Model {
  const found: Model = new Map()
  for (const { state, key, value } of backend.entries()) {
    expect(found.has(cell(state, key))).toBe(false)
    found.set(cell(state, key), JSON.stringify(value))
  }
  return found
}

function restored(snapshot: KeyedSnapshot): Model {
  const { bytes, offsets } = snapshot.result()
  const backend = new HeapKeyedStateBackend(KEY, RANGE, MAX_PARALLELISM)
  backend.restore({ kind: 'key-groups', range: RANGE, offsets, stream: { kind: 'bytes', name: 's', bytes }, id: 'id' }, bytes)
  return contents(backend)
}

const sorted = (model: Model): string[] => [...model].map(([key, value]) => `${key}=${value}`).sort()

function newWorld(): World {
  const backend = new HeapKeyedStateBackend(KEY, RANGE, MAX_PARALLELISM)
  for (const state of STATES) backend.valueState(state)
  return { backend, open: [] }
}

function apply(world: World, model: Model, step: Command): void {
  const { backend, open } = world
  switch (step.do) {
    case 'update': {
      const state = STATES[step.state]!
      backend.setCurrentKey(step.key)
      backend.valueState(state).update(valueOf(step.state, step.n))
      model.set(cell(state.name, step.key), JSON.stringify(valueOf(step.state, step.n)))
      break
    }
    case 'clear': {
      const state = STATES[step.state]!
      backend.setCurrentKey(step.key)
      backend.valueState(state).clear()
      model.delete(cell(state.name, step.key))
      break
    }
    case 'snapshot':
      if (open.length < 4) open.push({ snapshot: backend.snapshot()!, expected: new Map(model) })
      break
    case 'advance': {
      const one = open[step.which % Math.max(1, open.length)]
      if (one !== undefined && !one.snapshot.advance(step.budget)) finish(world, one)
      break
    }
    case 'abort': {
      const [gone] = open.splice(step.which % Math.max(1, open.length), 1)
      gone?.snapshot.release()
      break
    }
  }
}

function finish(world: World, one: World['open'][number]): void {
  expect(sorted(restored(one.snapshot))).toEqual(sorted(one.expected))
  expect(one.snapshot.writtenEntries).toBe(one.expected.size)
  expect(one.snapshot.totalEntries).toBe(one.expected.size)
  one.snapshot.release()
  world.open.splice(world.open.indexOf(one), 1)
}

function drain(world: World): void {
  for (let one = world.open[0]; one !== undefined; one = world.open[0]) {
    while (one.snapshot.advance(3));
    finish(world, one)
  }
}

test('every snapshot is the state at its instant, whatever is written, deleted and snapshotted meanwhile', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200, size: 'max' }), (steps) => {
      const world = newWorld()
      const model: Model = new Map()
      for (const step of steps) apply(world, model, step)
      expect(sorted(contents(world.backend))).toEqual(sorted(model))
      drain(world)
    }),
    { numRuns: 300 },
  )
})

test('a copy of the machine and the original go on without seeing each other, open snapshots included', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), fc.array(command, { maxLength: 60 }), fc.array(command, { maxLength: 60 }), (before, left, right) => {
      const world = newWorld()
      const model: Model = new Map()
      for (const step of before) apply(world, model, step)
      const copy = cloneGraph({ world, model })
      const lefts = [...left]
      const rights = [...right]
      while (lefts.length > 0 || rights.length > 0) {
        const a = lefts.shift()
        const b = rights.shift()
        if (a !== undefined) apply(world, model, a)
        if (b !== undefined) apply(copy.world, copy.model, b)
      }
      expect(sorted(contents(world.backend))).toEqual(sorted(model))
      expect(sorted(contents(copy.world.backend))).toEqual(sorted(copy.model))
      drain(world)
      drain(copy.world)
    }),
    { numRuns: 300 },
  )
})
