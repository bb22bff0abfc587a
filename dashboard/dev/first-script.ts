/**
 * `src/scheme.ts` as a plain blocking script: it must run before the first paint and before any module, and a module is
 * always deferred. Built, it is one more file of `assets/` with a hash in its name.
 */
import { readFileSync } from 'node:fs';
import { type Plugin, transformWithOxc } from 'vite';

const FILE = new URL('../src/scheme.ts', import.meta.url).pathname;
const SERVED = '@scheme.js';

const compiled = async (): Promise<string> => (await transformWithOxc(readFileSync(FILE, 'utf8'), FILE)).code;

export function firstScript(): Plugin {
  let base = '/';
  let isBuild = false;
  return {
    name: 'first-script',
    configResolved(config) {
      base = config.base;
      isBuild = config.command === 'build';
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url !== `${base}${SERVED}`) return next();
        response.setHeader('Content-Type', 'text/javascript');
        compiled().then((code) => response.end(code), next);
      });
    },
    transformIndexHtml: {
      order: 'post',
      async handler(_html, { bundle }) {
        const built = Object.values(bundle ?? {}).find(
          (each) => each.type === 'asset' && each.names.includes('scheme.js'),
        );
        const src = `${base}${isBuild ? (built?.fileName ?? 'missing') : SERVED}`;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
      },
    },
    async buildStart() {
      if (isBuild) this.emitFile({ type: 'asset', name: 'scheme.js', source: await compiled() });
    },
  };
}
