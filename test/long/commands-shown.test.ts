/**
 * The pages with commands, each pasted from its top to its end by a reader at a first start of its own, and `bursar verify` behind each page. Such a
 * reader knows what the start printed, and what the page says to keep. What starts a PostgreSQL of its own, and the longest pages:
 * `test/long/commands.test.ts`. How a page is pasted: `test/support/docs/paste-page.ts`.
 */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { blocksRunBy, pastedOn } from '../support/docs/block-runners.ts';
import { newReader } from '../support/docs/page.ts';
import { LONG_PAGES, pastePage } from '../support/docs/paste-page.ts';

const ALL = new Set(blocksRunBy('test/long/commands-shown.test.ts').map(({ page }) => page));
const PAGES = [...ALL].filter((page) => !LONG_PAGES.includes(page));

describe.concurrent('on a first start of its own', () => {
  it.each(PAGES)('%s', async (page) => void (await pastePage(page)));

  it('the name that a copy of the repository gives the command adds nothing to what it prints', () => {
    const [first] = pastedOn('docs/guides/command-line.md');
    const script = `${first?.block.text}\nbursar --version`;
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('control: what a first start cannot pay, has not made or does not know is seen, in the middle of a block too', async () => {
    const reader = await newReader();
    const page = 'docs/guides/stuck-payout.md'; // it names `PAYOUT` to its reader, and not `BANK`
    const paste = async (text: string) => reader.paste(page, { language: '', text });
    try {
      expect(await paste('bursar payouts create amount=10000.01 currency=EUR recipient=$RECIPIENT')).toMatchObject({
        status: 4,
        said: expect.stringContaining('balance_insufficient'),
      });
      const dear = '-d amount=10000.01 -d currency=EUR -d recipient=$RECIPIENT';
      expect(await paste(`curl $BURSAR_URL/v1/payouts -H "Authorization: Bearer $BURSAR_KEY" ${dear}`)).toMatchObject({
        status: 22,
        said: expect.stringContaining('balance_insufficient'),
      });
      for (const unmade of ['bursar payouts why $PAYOUT', 'bursar bank reconcile $BANK 2026-10'])
        expect(await paste(unmade)).toMatchObject({ status: 1, said: expect.stringContaining('unbound variable') });
      expect((await paste('bursar payouts why po_…')).said).toContain('Nothing on this page has made an id');
      expect(await paste('bursar payouts lst\nbursar accounts list')).toMatchObject({ status: 2 });
      expect(await paste('bursar audit list --merchant "Acme GmbH"')).toMatchObject({ status: 2 });

      const bank = '--iban DE02120300000000202051 --cut-off 14:30 --time-zone Europe/Berlin';
      const made = `bursar bank accounts add --currency EUR --country DE --holder "Example GmbH" ${bank}`;
      expect(await paste(`${made}\nbursar payouts create amount=1 currency=EUR recipient=$RECIPIENT`)).toMatchObject({
        status: 0,
      });
      expect(await paste('bursar payouts why $PAYOUT')).toMatchObject({ status: 0 });
      // It was made, but the page does not say to keep it.
      expect((await paste('bursar bank reconcile $BANK 2026-10')).said).toContain('BANK: unbound variable');
    } finally {
      await reader.end();
    }
  });
});
