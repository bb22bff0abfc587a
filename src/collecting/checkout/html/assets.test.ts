/** The assets of the page: named by their content, valid, and small. */
import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { accentSheet, ASSETS, CLIENT_SCRIPT_NAME, STYLE_SHEET_NAME } from './assets.ts';
import { CLIENT_SCRIPT } from './client-script.ts';
import { renderPage } from './render.ts';
import { STYLE_SHEET } from './style-sheet.ts';
import { LANGUAGES, type PageView } from './view.ts';

const bytes = (text: string) => Buffer.byteLength(text);

describe('assets', () => {
  it('are named by what they hold', () => {
    expect(ASSETS.size).toBe(3);
    for (const [name, { body }] of ASSETS) {
      const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
      expect(name).toMatch(new RegExp(`^[a-z]+-${hash}\\.(?:css|js|svg)$`));
    }
    expect(ASSETS.get(STYLE_SHEET_NAME)).toEqual({ contentType: 'text/css; charset=utf-8', body: STYLE_SHEET });
    expect(ASSETS.get(CLIENT_SCRIPT_NAME)?.contentType).toBe('text/javascript; charset=utf-8');
  });

  it('load nothing themselves', () => {
    for (const { body } of ASSETS.values()) {
      expect(body.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|\/\/|url\(|@import|import\(/);
    }
  });
});

describe('the style sheet', () => {
  it('has balanced braces and names only properties that it sets', () => {
    const open = STYLE_SHEET.split('{').length;
    expect(STYLE_SHEET.split('}')).toHaveLength(open);
    const set = new Set([...STYLE_SHEET.matchAll(/(--[a-z-]+):/g)].map(([, name]) => name));
    const used = [...STYLE_SHEET.matchAll(/var\((--[a-z-]+)\)/g)].map(([, name]) => name);
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((name) => !set.has(name))).toEqual([]);
  });

  it('takes its colours from the palettes, which are tested for contrast', () => {
    const rules = STYLE_SHEET.replace(/--[a-z-]+:#[0-9a-f]{6}/g, '');
    expect(rules).not.toMatch(/#[0-9a-f]{3,8}\b|hsl\(/i);
  });

  it.each(['prefers-color-scheme:dark', 'prefers-reduced-motion', 'forced-colors:active', 'print', 'focus-visible'])(
    'knows %s',
    (what) => expect(STYLE_SHEET).toContain(what),
  );

  it('moves nothing for who wants no motion', () => {
    const moving = STYLE_SHEET.slice(STYLE_SHEET.indexOf('prefers-reduced-motion:no-preference'));
    expect(STYLE_SHEET.match(/animation:|transition:/g)).toHaveLength(1);
    expect(moving).toMatch(/^prefers-reduced-motion:no-preference\)\{\.dot\{animation:/);
  });
});

describe('the script', () => {
  it('is a script, of 4 kB at the most, that makes no code of text', () => {
    expect(() => new Script(CLIENT_SCRIPT)).not.toThrow();
    expect(bytes(CLIENT_SCRIPT)).toBeLessThanOrEqual(4 * 1024);
    expect(CLIENT_SCRIPT).not.toMatch(/innerHTML|insertAdjacent|document\.write|eval|Function\(/);
  });
});

describe('the weight', () => {
  /** Sandbox, bank transfer in EUR with the longest name, card as the other way, every text there is. */
  const heaviest: PageView = {
    language: 'en',
    path: '/pay/aB3dE6gH9jK2mN5pQ8sT1vW4',
    version: 'waiting-pending-bank_transfer-0-0-0',
    csrf: 'x'.repeat(64),
    livemode: false,
    nowMs: 1_700_000_000_000,
    merchant: { name: 'M'.repeat(100), logo: '/pay/aB3dE6gH9jK2mN5pQ8sT1vW4/logo', accent: '#1f4fd8' },
    state: 'partially_paid',
    company: {
      email: `${'e'.repeat(60)}@shop.example`,
      phone: '+49 30 901820 901820 901820 901820',
      address: {
        line1: 'L'.repeat(70),
        line2: 'L'.repeat(70),
        postal_code: '10115',
        city: 'C'.repeat(35),
        state: 'S'.repeat(35),
        country: 'DE',
      },
      legalUrl: `https://shop.example/${'l'.repeat(100)}`,
      privacyUrl: `https://shop.example/${'p'.repeat(100)}`,
    },
    notice: 'card_unavailable',
    typed: null,
    currency: 'EUR',
    amount: null,
    minimum: 1n,
    maximum: 99_999_999_999n,
    description: 'D'.repeat(500),
    reference: 'R'.repeat(140),
    expiresAtMs: 1_700_003_600_000,
    methods: { bankTransfer: true, card: true },
    payment: {
      amount: 99_999_999_999n,
      received: 0n,
      refunded: 0n,
      status: 'partially_paid',
      method: 'bank_transfer',
      rf: `RF18${'9'.repeat(21)}`,
      bank: {
        account_holder: 'Ä'.repeat(70),
        iban: `MT84${'A'.repeat(27)}`,
        bic: 'COBADEFFXXX',
        bank_name: 'B'.repeat(70),
      },
      duplicates: 0n,
      paidAtMs: null,
    },
    after: { redirectUrl: null, message: null },
  };

  it.each(LANGUAGES)('of the heaviest page in %s with all it loads is at most 30 kB', (language) => {
    const page = renderPage({ ...heaviest, language });
    expect(page).toContain('class="qr"');
    expect(page).toContain('/simulate');
    const loaded = [...ASSETS.values()].reduce((sum, { body }) => sum + bytes(body), bytes(accentSheet('1f4fd8')));
    expect(bytes(page) + loaded).toBeLessThanOrEqual(30 * 1024);
  });
});
