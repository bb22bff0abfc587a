/** Ids: their order, the uuid behind them, and the sequence inside an event's. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeId, idOf, idSource, isId, NAMES, newId, type Prefix, sequenceOf, uuidOf } from './ids.ts';

const AT = Date.UTC(2026, 2, 14);
const MAX_SEQUENCE = 2n ** 40n - 1n;
const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
const prefix = fc.constantFrom(...(Object.keys(NAMES) as Prefix[]));

describe('encoding', () => {
  it('is that of the TypeID specification', () => {
    // Test vectors of TypeID 0.3, valid.yml.
    const vectors = [
      ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
      ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
      ['00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'],
      ['00000000-0000-0000-0000-000000000010', '0000000000000000000000000g'],
      ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
      ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
      ['0110c853-1d09-52d8-d73e-1194e95b5f19', '0123456789abcdefghjkmnpqrs'],
      ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
    ] as const;
    for (const [uuid, text] of vectors) {
      expect(idOf('po', uuid)).toBe(`po_${text}`);
      expect(uuidOf(`po_${text}`)).toBe(uuid);
    }
  });

  it('gives back the uuid it was made from, keeps its order, and is well-formed', () => {
    fc.assert(
      fc.property(bytes, bytes, prefix, (one, other, kind) => {
        const [first, second] = [encodeId(kind, one), encodeId(kind, other)];
        expect(isId(kind, first)).toBe(true);
        expect(first.length).toBeLessThanOrEqual(35);
        expect(uuidOf(first).replaceAll('-', '')).toBe(Buffer.from(one).toString('hex'));
        expect(idOf(kind, uuidOf(first))).toBe(first);
        expect(Math.sign(Buffer.compare(one, other))).toBe(first < second ? -1 : first > second ? 1 : 0);
      }),
    );
  });

  it.each([
    ['po', 'po_01h455vb4pex5vsknk084sn02q', true],
    ['po', 'pob_01h455vb4pex5vsknk084sn02q', false],
    ['pob', 'po_01h455vb4pex5vsknk084sn02q', false],
    ['po', 'po_01H455VB4PEX5VSKNK084SN02Q', false],
    ['po', 'po_81h455vb4pex5vsknk084sn02q', false],
    ['po', 'po_01h455vb4pex5vsknk084sn02', false],
    ['po', 'po_01h455vb4pex5vsknk084sn02qq', false],
    ['po', 'po_01h455vb4pex5vsknk084sn02u', false],
    ['po', 'po_01h455vb4pex5vsknk084sn02q\n', false],
    ['po', "po_01h455vb4pex5vsknk084sn0' ", false],
    ['po', '', false],
  ] as const)('isId(%s, %j) is %s', (kind, text, well) => expect(isId(kind, text)).toBe(well));
});

describe('idSource', () => {
  it('makes ids that sort by creation, in a batch of any size and over batches', () => {
    const made: string[] = [];
    for (const atMs of [AT, AT + 1, AT + 1000]) {
      const ids = idSource(atMs);
      for (let i = 0; i < 6000; i++)
        made.push(i % 3 === 0 ? ids.event(BigInt(6000 - i)).slice(4) : ids.next('po').slice(3));
    }
    expect(made).toEqual(made.toSorted());
    expect(new Set(made).size).toBe(made.length);
  });

  it('makes UUIDv7', () => {
    for (const uuid of [uuidOf(idSource(AT).next('acct')), uuidOf(idSource(AT).event(7n)), uuidOf(newId('req'))]) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    expect(Number.parseInt(uuidOf(idSource(AT).next('acct')).replaceAll('-', '').slice(0, 12), 16)).toBe(AT);
  });

  it('leaves what is not time and counter to chance', () => {
    const tails = new Set(Array.from({ length: 2000 }, () => idSource(AT).next('po').slice(-10)));
    expect(tails.size).toBe(2000);
  });

  it('puts the sequence into an event’s id, and takes it out again', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX_SEQUENCE }), fc.nat(5), (sequence, before) => {
        const ids = idSource(AT);
        for (let i = 0; i < before; i++) ids.next('po');
        expect(sequenceOf(ids.event(sequence))).toBe(sequence);
      }),
    );
    expect(sequenceOf(idSource(AT).event(MAX_SEQUENCE))).toBe(MAX_SEQUENCE);
  });
});
