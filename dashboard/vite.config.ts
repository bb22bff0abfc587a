/**
 * Builds the dashboard to `dist/`, and serves it while it is worked on: `BURSAR_KEY=sk_test_… npm run dev` (`dev/stand-in.ts`).
 * The built page has no inline script and no inline style, so that a strict Content-Security-Policy can hold.
 */
import { defineConfig } from 'vite';
import { firstScript } from './dev/first-script.ts';
import { standIn } from './dev/stand-in.ts';

export default defineConfig({
  base: '/dashboard/',
  plugins: [firstScript(), standIn(process.env)],
  // Directives of libraries for servers mean nothing here.
  build: {
    rolldownOptions: {
      // What many pages share is one file: a browser asks for six at a time, and the overview would be forty-seven small ones.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 16 }] } },
      onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
    },
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    sourcemap: false,
    modulePreload: { polyfill: false },
  },
  // The client and the palette live beside this folder.
  server: { fs: { allow: ['..'] }, port: Number(process.env['DASHBOARD_PORT'] ?? 5173), strictPort: true },
});
