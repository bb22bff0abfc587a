/** Whose socket listens on a port, from tables as Linux writes them and from this machine's own. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { userOfListener } from './server-user.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const row = (local: string, state: string, uid: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 12345 1 0000000000000000`;
const tables =
  (tcp: readonly string[], tcp6: readonly string[] = []) =>
  (path: string) =>
    [HEAD, ...(path.endsWith('6') ? tcp6 : tcp)].join('\n');

it('is the user of the listener, of IPv4 and of IPv6', () => {
  expect(userOfListener(4242, tables([row('0100007F:1092', '0A', 997)]))).toBe(997);
  expect(userOfListener(80, tables([], [row('00000000000000000000000000000000:0050', '0A', 0)]))).toBe(0);
});

it('is nobody where another port listens, or where the port is that of a connection', () => {
  const others = [row('0100007F:1093', '0A', 1), row('0100007F:1092', '01', 2)];
  expect(userOfListener(4242, tables(others))).toBeNull();
  expect(userOfListener(4242, () => '')).toBeNull();
});

it.runIf(process.platform === 'linux')('is the user of this process for its own port', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(userOfListener(port)).toBe(process.getuid?.());
  await new Promise((resolve) => server.close(resolve));
  expect(userOfListener(port)).toBeNull();
});
