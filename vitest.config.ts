import { defineConfig } from 'vitest/config'

const layer = (name: string, environment: 'node' | 'happy-dom' = 'node') => ({
  test: { name, environment, include: [`tests/${name}/**/*.test.ts`, `tests/${name}/**/*.test.tsx`], testTimeout: 30_000 },
})

export default defineConfig({
  test: {
    projects: ['unit', 'contract', 'golden', 'property', 'simulation', 'architecture'].map((name) => layer(name)),
  },
})
