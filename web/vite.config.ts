import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Builds the page into `dist/web`. The server sends a strict policy, so nothing may be inline: no scripts, no styles, no fonts as data. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome125', 'firefox125', 'safari18'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
