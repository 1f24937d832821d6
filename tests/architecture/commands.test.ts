import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
const commands = [...new Set([...read('README.md').matchAll(/npm (?:run )?(start|test|(?<=run )[a-z:]+)/g)].map((match) => match[1] ?? ''))]

it('the README names its commands', () => {
  expect(commands).toEqual(expect.arrayContaining(['start', 'test', 'scenario', 'simulate']))
})

it.each(commands)('npm %s, which the README names, brings what it needs on a fresh clone', (command) => {
  expect(scripts[command]).toBeDefined()
  expect(scripts[`pre${command}`]).toMatch(/^node scripts\/setup\.mjs/)
})
