import { stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { bringDataSets, dataSetPath } from '../../../scripts/data-sets.mjs'
import { loadDataSet, loadDataSets } from '../../../workers/hosts/node/load-data-set.ts'

describe('bringing the data sets', () => {
  it('writes a file once', async () => {
    await bringDataSets()
    const path = dataSetPath('flights-20k')
    const before = await stat(path)
    expect(await bringDataSets()).toEqual([])
    expect((await stat(path)).mtimeMs).toBe(before.mtimeMs)
  })

  it('gives 20,000 rows that fit the schema', async () => {
    const { rows } = await loadDataSet('flights-20k')
    expect(rows).toHaveLength(20_000)
    expect(rows[0]).toEqual(['2001/01/01 00:47', 66, 1750, 'DTW', 'LAS'])
  })

  it('loads what the topics of a document name, once each', async () => {
    const loaded = await loadDataSets([{ data: 'flights-20k' }, {}, { data: 'flights-20k' }])
    expect([...loaded.keys()]).toEqual(['flights-20k'])
  })

  it('refuses an unknown name, also one of an object', async () => {
    await expect(loadDataSet('nothing')).rejects.toThrow('there is no data set "nothing"')
    await expect(loadDataSet('constructor')).rejects.toThrow('there is no data set')
  })
})
