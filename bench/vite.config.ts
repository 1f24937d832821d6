/** Builds the pages of the benchmarks, with the product's workers as the product builds them. Output goes below the cache. */
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Below node_modules: ignored by git, and gone with it. */
export const BUILT_PAGES = at('../node_modules/.cache/weir-bench')

export default defineConfig({
  root: at('.'),
  base: './',
  publicDir: false,
  plugins: [react()],
  worker: { format: 'es' },
  logLevel: 'error',
  build: {
    target: 'es2023',
    outDir: BUILT_PAGES,
    emptyOutDir: true,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: { input: { 'word-count': at('word-count.html'), tokens: at('tokens.html'), blank: at('blank.html') } },
  },
})
