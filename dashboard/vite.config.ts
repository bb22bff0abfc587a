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
      // Of some large files a browser asks sooner than of sixty small ones: it asks for six at a time.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 6 }] } },
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
