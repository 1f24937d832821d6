import { defineConfig } from 'vitest/config'

const layer = (name: string, environment: 'node' | 'happy-dom' = 'node') => ({
  test: { name, environment, include: [`tests/${name}/**/*.test.ts`, `tests/${name}/**/*.test.tsx`], testTimeout: 30_000 },
})

/** Against the built page, in a real browser: one file after the other, since each starts a browser and some ten workers. */
const browser = {
  test: {
    name: 'browser',
    include: ['tests/browser/**/*.test.ts'],
    globalSetup: 'tests/browser/serve-built-page.ts',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
}

export default defineConfig({
  test: {
    projects: [...['unit', 'contract', 'golden', 'property', 'simulation', 'architecture'].map((name) => layer(name)), browser],
  },
})
