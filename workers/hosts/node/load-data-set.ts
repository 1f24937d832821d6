/** Data sets for hosts on node: the file in `public/data`, made first if it is missing. */
import { readFile } from 'node:fs/promises'
import { bringDataSets, dataSetPath } from '../../../scripts/data-sets.mjs'
import { DATA_SETS } from '../../model/catalogue/data-sets.ts'
import { parseDataSet, type DataSet } from '../../outside/data-set.ts'

/** Rejects when there is no data set of that name, or its file does not fit. */
export async function loadDataSet(name: string): Promise<DataSet> {
  if (!Object.hasOwn(DATA_SETS, name)) throw new RangeError(`there is no data set "${name}"`)
  await bringDataSets()
  const parsed = parseDataSet(name, JSON.parse(await readFile(dataSetPath(name), 'utf8')))
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}

/** Those that the topics of a document name, for `topicContents`. */
export async function loadDataSets(topics: readonly { readonly data?: string }[]): Promise<ReadonlyMap<string, DataSet>> {
  const names = new Set(topics.flatMap((topic) => topic.data ?? []))
  const loaded = await Promise.all([...names].map(loadDataSet))
  return new Map(loaded.map((dataSet) => [dataSet.name, dataSet]))
}
