import { resolve } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

/** Where the service serves the built files: see `server/http/response/dashboard-files.ts`. */
const ASSETS = '/assets/dashboard/';
/** Replaced in every response; see the same file. */
const NONCE = '__NONCE__';
const SERVICE = 'http://127.0.0.1:3000';
/** Addresses of the service outside the dashboard. */
const SERVICE_PATHS =
  /^\/(open|forms|user|login|logout|register|registration|password|settings|auth|invites|exports|external|api|openapi\.json|assets)(\/|\?|$)/;

export function dashboardConfig(command: 'build' | 'serve'): UserConfig {
  return {
    root: import.meta.dirname,
    base: command === 'build' ? ASSETS : '/',
    publicDir: false,
    cacheDir: resolve(import.meta.dirname, '../node_modules/.vite-dashboard'),
    plugins: [react(), tailwind()],
    // The development server adds styles to the page at run time; it sends no policy, so no nonce is needed.
    ...(command === 'build' && { html: { cspNonce: NONCE } }),
    build: {
      target: 'es2022',
      // The first versions that support `light-dark()`.
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
          // Code for all screens is one file, code shared by three of them another, instead of forty of a few hundred bytes.
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
            // Source files, some of them in folders of the same names.
            if (/\.(tsx?|css|svg)(\?|$)/.test(url)) return url;
            // A screen if a browser opens it, otherwise a call of the API.
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
