/** What may stand behind `npm run bench --`. */

export const USAGE = `npm run bench -- [name …] [options]
  name …, --only name,…   these benchmarks; all without
  --rounds n              instead of 8, at least 1; a first one that does not count comes on top
  --quick                 3 rounds, a quarter of the records: shows whether something broke
  --out path              writes path.json and path.md after each benchmark; what path.json holds of others stays
  --resume                leaves out what path.json holds already, of this commit, with as many rounds and records
  --list                  says which benchmark answers which goal, and measures nothing`

export interface Asked {
  readonly names: readonly string[]
  readonly rounds: number
  readonly share: number
  readonly out: string | null
  readonly resume: boolean
  readonly list: boolean
}

const ROUNDS = 8
const QUICK_ROUNDS = 3
const QUICK_SHARE = 0.25

/** Throws with a sentence about the first argument that is not understood. */
export function parseArguments(given: readonly string[], known: readonly string[]): Asked {
  const names: string[] = []
  let rounds: number | null = null
  let out: string | null = null
  const flags = new Set<string>()
  const rest = [...given]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [option, joined] = argument.split('=', 2) as [string, string | undefined]
    const value = (): string => {
      const next = joined ?? rest.shift()
      if (next === undefined || next === '' || next.startsWith('--')) throw new Error(`${option} wants something behind it.`)
      return next
    }
    if (option === '--only') names.push(...value().split(','))
    else if (option === '--rounds') rounds = roundsOf(value())
    else if (option === '--out') out = value().replace(/\.(json|md)$/, '')
    else if (option === '--quick' || option === '--resume' || option === '--list') flags.add(option)
    else if (option.startsWith('--')) throw new Error(`There is no option "${option}".`)
    else names.push(argument)
  }
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}". Known: ${known.join(', ')}.`)
  if (flags.has('--resume') && out === null) throw new Error('--resume wants --out, where the earlier figures are.')
  const quick = flags.has('--quick')
  return {
    names: names.length > 0 ? known.filter((name) => names.includes(name)) : known,
    rounds: rounds ?? (quick ? QUICK_ROUNDS : ROUNDS),
    share: quick ? QUICK_SHARE : 1,
    out,
    resume: flags.has('--resume'),
    list: flags.has('--list'),
  }
}

function roundsOf(text: string): number {
  const rounds = Number(text)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds wants a whole number from 1 on, not "${text}".`)
  return rounds
}
