/**
 * Brings the data sets into `public/data/` (not committed) in the compact form that the page loads: `{ name, source, fields, rows }`. Does
 * nothing when they are there in the version that is installed. Flights: npm package vega-datasets (see NOTICE).
 */
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packageFolder = join(root, 'node_modules', 'vega-datasets')
const outputFolder = join(root, 'public', 'data')

/** Name → file of the package, and its fields in order. */
const FLIGHTS = { name: 'flights-20k', file: 'data/flights-20k.json', fields: ['date', 'delay', 'distance', 'origin', 'destination'] }

/** Path of the compact file of a data set. */
export const dataSetPath = (name) => join(outputFolder, `${name}.json`)

/** Writes what is missing or of another version. Returns the names of what was written. */
export async function bringDataSets() {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'))
  const head = `{"name":"${FLIGHTS.name}","source":"vega-datasets ${version}","fields":${JSON.stringify(FLIGHTS.fields)},"rows":[`
  const path = dataSetPath(FLIGHTS.name)
  if (await beginsWith(path, head)) return []
  const rows = JSON.parse(await readFile(join(packageFolder, FLIGHTS.file), 'utf8'))
  const lines = rows.map((row) => JSON.stringify(FLIGHTS.fields.map((field) => row[field])))
  await mkdir(outputFolder, { recursive: true })
  // Complete or absent: several commands may run this at once, and any may be stopped in the middle.
  const partial = `${path}.${process.pid}.partial`
  await writeFile(partial, `${head}\n${lines.join(',\n')}\n]}\n`)
  await rename(partial, path)
  return [FLIGHTS.name]
}

async function beginsWith(path, head) {
  let file
  try {
    file = await open(path)
  } catch {
    return false
  }
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Buffer.byteLength(head)), 0, Buffer.byteLength(head), 0)
    return buffer.toString('utf8', 0, bytesRead) === head
  } finally {
    await file.close()
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const written = await bringDataSets()
  for (const name of written) console.log(`data set ${name}: written to public/data`)
}
