import { resolve } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

/** Where the service serves what is built: see `server/http/dashboard-files.ts`. */
const ASSETS = '/assets/dashboard/';
/** Replaced in every answer; see the same file. */
const NONCE = '__NONCE__';
const SERVICE = 'http://127.0.0.1:3000';
/** The addresses of the service that are not the dashboard's own. */
const SERVICE_PATHS =
  /^\/(open|forms|user|login|logout|register|registration|password|settings|auth|invites|exports|external|api|openapi\.json|assets)(\/|\?|$)/;

export function dashboardConfig(command: 'build' | 'serve'): UserConfig {
  return {
    root: import.meta.dirname,
    base: command === 'build' ? ASSETS : '/',
    publicDir: false,
    cacheDir: resolve(import.meta.dirname, '../node_modules/.vite-dashboard'),
    plugins: [react(), tailwind()],
    // The development server writes styles into the page as it goes, and needs no nonce: it sends no policy.
    ...(command === 'build' && { html: { cspNonce: NONCE } }),
    build: {
      target: 'es2022',
      // The first that know light and dark by themselves.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      manifest: 'manifest.json',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1_000,
      rollupOptions: {
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
          // What every screen needs is one file, what three of them share another: not forty of a few hundred bytes.
          codeSplitting: {
            groups: [
              { name: 'start', tags: ['$initial'] },
              { name: 'shared', minShareCount: 3 },
            ],
          },
        },
      },
    },
    server: {
      proxy: {
        [SERVICE_PATHS.source]: {
          target: SERVICE,
          headers: { origin: SERVICE },
          bypass: ({ headers, url = '' }) => {
            // Sources, some in folders of the same names.
            if (/\.(tsx?|css|svg)(\?|$)/.test(url)) return url;
            // A screen to a browser that opens it, and a call to the dashboard.
            return /^\/(register|password)/.test(url) && headers.accept?.includes('text/html')
              ? '/index.html'
              : undefined;
          },
        },
      },
    },
  };
}

export default defineConfig(({ command }) => dashboardConfig(command));
