/** Rates by HTTP from a real server on this machine: what is taken, what is refused, and that the guard of live webhooks stands in front. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type GuardPolicy, RATES_POLICY } from '../../platform/outbound/guard.ts';
import { ratesFetcher, type RatesFetcher } from './rates-fetch.ts';

const HERE: GuardPolicy = { livemode: false, privateTargets: 'loopback', what: 'Rates' };
const open: { server: Server; fetcher?: RatesFetcher }[] = [];
let asked = 0;

afterEach(async () => {
  for (const { server, fetcher } of open.splice(0)) {
    await fetcher?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  asked = 0;
});

async function serving(answer: RequestListener) {
  const server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fetched = (policy: GuardPolicy, options: object = {}) => {
    const { port } = server.address() as AddressInfo;
    const fetcher = ratesFetcher(`http://127.0.0.1:${port}/daily?key=secret`, { policy, ...options });
    open.push({ server, fetcher });
    return fetcher.fetch();
  };
  return fetched;
}

describe('control: where this machine is allowed', () => {
  it('the document comes', async () => {
    const fetched = await serving(({ url, headers }, response) => response.end(`${url} ${headers['user-agent']}`));
    expect(await fetched(HERE)).toMatch(/^\/daily\?key=secret Bursar\/\S+ \(\+rates\)$/);
  });

  it('the document comes behind informational answers', async () => {
    const fetched = await serving((_, response) => {
      response.writeContinue();
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeContinue();
      response.end('rates');
    });
    expect(await fetched(HERE)).toBe('rates');
  });
});

describe('the guard', () => {
  it('refuses this machine, private networks and plain http, and nothing is sent', async () => {
    const fetched = await serving((_, response) => response.end('no'));
    await expect(fetched(RATES_POLICY)).rejects.toThrow('Rates come from public addresses only');
    const by = (url: string, address: string) => {
      const lookup = async () => [{ address, family: 4 }];
      const fetcher = ratesFetcher(url, { lookup });
      return fetcher.fetch().finally(() => fetcher.close());
    };
    await expect(by('https://rates.example.com/', '127.0.0.1')).rejects.toThrow(
      'leads to this machine. Rates come from',
    );
    await expect(by('https://rates.example.com/', '10.1.2.3')).rejects.toThrow('leads to a private network');
    await expect(by('https://rates.example.com/', '169.254.169.254')).rejects.toThrow('Rates come from');
    await expect(by('http://rates.example.com/', '93.184.216.34')).rejects.toThrow('Rates need https://');
    expect(asked).toBe(0);
  });
});

describe('what is refused', () => {
  it('another status, and a redirect, which is not followed', async () => {
    const moved = await serving((_, response) => response.writeHead(302, { location: '/elsewhere' }).end());
    await expect(moved(HERE)).rejects.toThrow(/127\.0\.0\.1:\d+ answered 302\. Redirects are not followed\./);
    expect(asked).toBe(1);
    const gone = await serving((_, response) => response.writeHead(500).end('x'.repeat(100)));
    await expect(gone(HERE)).rejects.toThrow(/answered 500\.$/);
  });

  it('more than a megabyte', async () => {
    const fetched = await serving((_, response) => response.end('x'.repeat(1_048_577)));
    await expect(fetched(HERE)).rejects.toThrow('more than 1048576 bytes');
  });

  it('an answer that never ends, without naming the key in the address', async () => {
    const fetched = await serving((_, response) => void response.write('begun'));
    const error = await fetched(HERE, { timeoutMs: 200 }).catch((reason: unknown) => reason as Error);
    expect(String(error)).toMatch(/gave no whole answer within 0.2 s/);
    expect(String(error)).not.toContain('secret');
  });
});
