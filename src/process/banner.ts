/** What the start prints when the server listens: where it is, a key, and lines to paste. */
import { networkInterfaces } from 'node:os';
import type { PrivateTargets } from '../core/private-targets.ts';
import type { Start } from './bootstrap.ts';

const WILDCARD = /^(?:0\.0\.0\.0|::|\[::\])$/;
const TARGET_WORDS: Readonly<Record<PrivateTargets, string>> = {
  none: 'public addresses only',
  loopback: 'public addresses and this machine',
  private: 'public addresses, this machine and private networks',
};

export interface BannerFacts {
  /** As in HOST. */
  readonly host: string;
  readonly port: number;
  readonly start: Start;
  /** Where sandbox webhooks may go now. */
  readonly targets: PrivateTargets;
}

/** `addresses`: of this machine. */
export function banner({ host, port, start, targets }: BannerFacts, addresses = ownAddresses()): string {
  const { key, recipient } = start;
  const isWildcard = WILDCARD.test(host);
  const local = `http://${isWildcard ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
  const others = addresses.map((address) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`);
  const shown = key ?? '<your sandbox key>';
  const lines = [
    '',
    isWildcard
      ? `Bursar listens on every address of this machine: ${[local, ...others].join('  ')}`
      : `Bursar listens on ${local}`,
    key === null
      ? 'Sandbox key:  shown at the first start; make another with: npm run bursar -- keys create --sandbox'
      : `Sandbox key:  ${key}`,
    '',
    'Try it:',
    `  curl ${local}/v1/accounts -H "Authorization: Bearer ${shown}"`,
  ];
  if (recipient !== null) {
    lines.push(
      `  curl ${local}/v1/payouts -H "Authorization: Bearer ${shown}" -d amount=250.00 -d currency=EUR -d recipient=${recipient}`,
      `  curl ${local}/v1/exchanges -H "Authorization: Bearer ${shown}" -d sell_currency=EUR -d buy_currency=USD -d amount=100`,
    );
  }
  lines.push(
    '',
    `Sandbox webhooks go to ${TARGET_WORDS[targets]}.`,
    `API description: ${local}/openapi.json    Stop: Ctrl-C`,
    '',
  );
  return lines.join('\n');
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).flatMap(({ address, internal, scopeid }) => (internal || scopeid ? [] : [address])),
  );
}
