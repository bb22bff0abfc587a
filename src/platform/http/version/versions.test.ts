/** Versions as values: which there are, and what changes make of answers and of requests. Over HTTP: `test/versions.test.ts`. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../test/support/harness/all-routes.ts';
import { MADE_UP, madeUpVersions, MIDDLE, OLDEST, renamed } from '../../../../test/support/harness/made-up-versions.ts';
import { RequestError } from '../../../core/values/errors.ts';
import { API_VERSION } from '../../../core/values/version.ts';
import { readForm } from '../request/form.ts';
import { readJson } from '../request/json.ts';
import { isFormObject, type Tree } from '../request/param.ts';
import type { TreeObject } from './changes.ts';
import { NEWEST, type Past, PAST_VERSIONS, type PastVersion, Versions } from './versions.ts';

const versions = madeUpVersions();
const pastOf = (date: string): Past => versions.named(date).past as Past;
const middle = pastOf(MIDDLE);
const oldest = pastOf(OLDEST);
const fault = (act: () => unknown): RequestError => {
  try {
    act();
  } catch (error) {
    if (error instanceof RequestError) return error;
  }
  throw new Error('It was not refused.');
};

describe('the versions', () => {
  it('are one so far, which changes nothing', () => {
    expect(new Versions().dates).toEqual([API_VERSION]);
    expect(new Versions().named(API_VERSION)).toBe(NEWEST);
    expect(NEWEST.past).toBeNull();
  });

  it('have a row in the page, each', () => {
    const page = readFileSync(new URL('../../../../docs/versions.md', import.meta.url), 'utf8');
    const without = (dates: readonly string[]) => dates.filter((date) => !page.includes(`\n| ${date} |`));
    expect(without(new Versions().dates)).toEqual([]);
    expect(without(versions.dates)).toEqual([MIDDLE, OLDEST]); // control
  });

  it('are dates in order, each with its notice', () => {
    const [one, other] = MADE_UP as [PastVersion, PastVersion];
    expect(versions.dates).toEqual([API_VERSION, MIDDLE, OLDEST]);
    expect(() => new Versions([other, one])).toThrow('the newest first');
    expect(() => new Versions([{ ...one, date: API_VERSION }])).toThrow('the newest first');
    expect(() => new Versions([{ ...one, sunset: '2027-11-30' }])).toThrow('12 months');
    expect(middle.deprecation).toEqual(['Deprecation', '@1796083200', 'Sunset', 'Wed, 01 Dec 2027 00:00:00 GMT']);
  });

  it('refuse an unknown date, and name those there are', () => {
    const header = fault(() => versions.named('2026-12-02'));
    expect(header).toMatchObject({ code: 'version_unknown', details: { allowed: versions.dates } });
    expect(header.message).toBe(
      `The header Bursar-Version must be the date of a version of the API, got "2026-12-02". There are: ${API_VERSION}, ${MIDDLE}, ${OLDEST}. Send one of these, or leave the header out for that of your key.`,
    );
    expect(fault(() => versions.named('latest', 'version'))).toMatchObject({ details: { param: 'version' } });
    expect(fault(() => versions.named(`${API_VERSION}, ${API_VERSION}`)).message).toContain('got "2026-12-01, 2026');
  });

  it('take a pin of another build for the version before that day, or the oldest', () => {
    const found = ['2027-01-01', API_VERSION, '2026-11-30', MIDDLE, '2026-05-31', '2025-01-01'].map(
      (date) => versions.pinned(date).date,
    );
    expect(found).toEqual([API_VERSION, API_VERSION, MIDDLE, MIDDLE, OLDEST, OLDEST]);
  });
});

describe('an answer of an older version', () => {
  const payout = '{"id":"po_1","object":"payout","amount":25.50,"amount_minor":2550,"scheduled_on":null,"metadata":{}}';

  it('is the object in its form, its numbers as they are written', () => {
    expect(middle.answer(payout)).toBe(payout.replace('scheduled_on', 'scheduled_for'));
    expect(oldest.answer(payout)).toBe(
      '{"id":"po_1","object":"payout","day":null,"metadata":{},"money":{"amount":25.50,"amount_minor":2550}}',
    );
  });

  it('is so in a list, in expanded objects, in results of a batch and in errors', () => {
    const within = (text: string) => middle.answer(text);
    const changed = middle.answer(payout);
    expect(within(`{"data":[${payout},${payout}],"has_more":true}`)).toBe(
      `{"data":[${changed},${changed}],"has_more":true}`,
    );
    const expanded = (each: string) => `{"object":"exchange","expanded":{"payout":${each}}}`;
    expect(within(expanded(payout))).toBe(expanded(changed));
    const results = (each: string, param: string) =>
      `{"object":"payout_batch","results":[{"payout":${each}},{"error":{"code":"x","param":"${param}"}}]}`;
    expect(within(results(payout, 'scheduled_on'))).toBe(results(changed, 'scheduled_for'));
  });

  it('is so in an event: its object, what was otherwise, and the version it is in', () => {
    const event = (date: string, type: string, day: string, object: string) =>
      `{"object":"event","type":"${type}","api_version":"${date}","data":{"object":${object},"previous_attributes":{"${day}":"2026-12-24","metadata":{"scheduled_on":"a"}}}}`;
    expect(middle.answer(event(API_VERSION, 'payout.in_transit', 'scheduled_on', payout))).toBe(
      event(MIDDLE, 'payout.sent', 'scheduled_for', middle.answer(payout)),
    );
  });

  it('has what merchants wrote as they wrote it', () => {
    const metadata = '{"object":"payout","scheduled_on":"a","__proto__":"b","amount":"1","error":"c"}';
    const written = payout.replace('"metadata":{}', `"metadata":${metadata}`);
    expect(middle.answer(written)).toContain(`"metadata":${metadata}`);
    expect(oldest.answer(written)).toContain(`"metadata":${metadata}`);
    const endpoint = '{"object":"webhook_endpoint","headers":{"object":"payout","scheduled_on":"•"}}';
    expect(middle.answer(endpoint)).toBe(endpoint);
  });

  it('is of any size', () => {
    const many = `{"data":[${Array.from({ length: 5_000 }, () => payout).join(',')}]}`;
    expect(middle.answer(many).match(/scheduled_for/g)).toHaveLength(5_000);
  });

  it('has the columns of its form as CSV', () => {
    const columns = ['id', 'object', 'amount', 'amount_minor', 'scheduled_on', 'metadata'];
    expect(middle.columns('payout', columns)).toEqual(columns.with(4, 'scheduled_for'));
    expect(middle.columns('account', columns)).toEqual(columns);
  });
});

describe('a request of an older version', () => {
  const read = (body: object) => readJson(JSON.stringify(body), 8);

  it('is that of the newest, in JSON and as a form', () => {
    expect(oldest.request('createPayout', read({ day: '2026-12-24', amount: '5' }))).toEqual(
      read({ scheduled_on: '2026-12-24', amount: '5' }),
    );
    const form = middle.request(
      'createPayoutBatch',
      readForm('payouts[0][scheduled_for]=a&payouts[0][metadata][b]=c', 8),
    );
    expect(form).toEqual(readForm('payouts[0][scheduled_on]=a&payouts[0][metadata][b]=c', 8));
    const { payouts } = form as { payouts: { 0: Tree } };
    expect([form, payouts, payouts[0]].map((each) => isFormObject(each))).toEqual([true, true, true]);
  });

  it('is left alone where nothing was otherwise', () => {
    const body = read({ day: 'x' });
    expect(middle.request('createPayout', body)).toEqual(body);
    expect(oldest.request('createRecipient', body)).toBe(body);
  });
});

/** What `Change` demands. Every answer of the document, each with some members missing or null, whole and stored in the older form. */
describe('a change', () => {
  const examples = ROUTES.flatMap(({ response }) => (response.example === undefined ? [] : [response.example]))
    .filter((each) => typeof each === 'object')
    .map((each) => JSON.stringify(each));

  function faultsOf(past: readonly PastVersion[]): string[] {
    const known = new Versions(past);
    return known.dates.slice(1).flatMap((date) => {
      const { past: older } = known.named(date);
      const answer = (json: string) => (older as Past).answer(json);
      return examples.flatMap((json) => {
        const object = JSON.parse(json) as Record<string, unknown>;
        const names = Object.keys(object).filter((name) => name !== 'object');
        const nulls = names.map((name) => JSON.stringify({ ...object, [name]: null }));
        const missing = names.map((name) => JSON.stringify({ ...object, [name]: undefined }));
        return [json, ...nulls, ...missing].flatMap((each) => {
          try {
            const once = answer(each);
            return answer(once) === once ? [] : [`${date}: not twice as once: ${each}`];
          } catch {
            return [`${date}: throws for ${each}`];
          }
        });
      });
    });
  }

  it('takes parts of objects, and leaves what is in the older form', () => {
    expect(examples.length).toBeGreaterThan(80);
    expect(faultsOf(PAST_VERSIONS)).toEqual([]);
    expect(faultsOf(MADE_UP)).toEqual([]);
  });

  it('control: one that counts, and one that needs a member, are found', () => {
    const [one] = MADE_UP as [PastVersion];
    const by = (payout: (object: TreeObject) => TreeObject) =>
      faultsOf([{ ...one, changes: [{ about: 'x', objects: { payout } }] }]);
    expect(by(renamed('scheduled_on', 'scheduled_for'))).toEqual([]);
    expect(by((object) => ({ ...object, day: [object['day'] ?? null] })).join()).toContain('not twice as once');
    expect(by((object) => ({ ...object, reference: (object['reference'] as string).trim() })).join()).toContain(
      'throws for',
    );
  });
});
