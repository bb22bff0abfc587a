/** What the start prints when the server listens: where it is, a key, and lines to paste. */
import { networkInterfaces } from 'node:os';
import { PAID_ACCOUNT } from '../core/rails/test-accounts.ts';
import type { PrivateTargets } from '../platform/outbound/private-targets.ts';
import type { Start } from '../operator/bootstrap.ts';

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
  /** As it is typed: `npx bursar`. */
  readonly program: string;
  /** Where a person finds the dashboard; left out or `null`: nowhere. */
  readonly dashboard?: string | null;
}

/** Where a client on this machine finds a server that listens on `host`: one form, in the banner and in the links of answers. */
export function localAddress(host: string, port: number): string {
  const reachable = WILDCARD.test(host) ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** `addresses`: of this machine. */
export function banner(
  { host, port, start, targets, program, dashboard = null }: BannerFacts,
  addresses = ownAddresses(),
): string {
  const { key, recipient } = start;
  const isWildcard = WILDCARD.test(host);
  const local = localAddress(host, port);
  const curl = (path: string, ...fields: readonly string[]) =>
    [`  curl $BURSAR_URL${path} -H "Authorization: Bearer $BURSAR_KEY"`, ...fields.map((field) => `-d ${field}`)].join(
      ' ',
    );
  const others = addresses.map((address) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`);
  const lines = [
    '',
    isWildcard
      ? `Bursar listens on every address of this machine: ${[local, ...others].join('  ')}`
      : `Bursar listens on ${local}`,
    key === null
      ? `Sandbox key:  shown at the first start; make another with: ${program} keys create --sandbox`
      : `Sandbox key:  ${key}`,
    '',
    'Try it, in another terminal:',
    `  export BURSAR_URL=${local} BURSAR_KEY=${key ?? "'<your sandbox key>'"}${recipient === null ? '' : ` RECIPIENT=${recipient}`}`,
    curl('/v1/accounts'),
    curl(
      '/v1/recipients',
      '"name=Grace Hopper" -d type=individual -d currency=EUR -d country=DE',
      `"bank_details[iban]=${PAID_ACCOUNT.iban}"`,
    ),
  ];
  if (recipient !== null) {
    lines.push(
      curl('/v1/payouts', 'amount=250.00', 'currency=EUR', 'recipient=$RECIPIENT'),
      curl('/v1/exchanges', 'sell_currency=EUR', 'buy_currency=USD', 'amount=100'),
    );
  } else {
    lines.push(
      'The sandbox is empty. Put accounts with money and a recipient in:',
      curl('/v1/test_helpers/reset', 'seed=true'),
    );
  }
  lines.push(
    '',
    `Sandbox webhooks go to ${TARGET_WORDS[targets]}. Or have events brought to you: ${program} listen --forward-to <url>`,
    ...(dashboard === null ? [] : [`Dashboard: ${dashboard}`]),
    `Documentation: ${local}/docs    API description: ${local}/openapi.json    Stop: Ctrl-C`,
    '',
  );
  return lines.join('\n');
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).flatMap(({ address, internal, scopeid }) => (internal || scopeid ? [] : [address])),
  );
}
