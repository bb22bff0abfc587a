/** Where a payout went, as it is stored and read. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Destination, destinationIn, destinationText, GAP } from './destination.ts';

const ADA: Destination = { name: 'Ada', scheme: 'sepa', country: 'DE', bank: 'COBADEFFXXX', last4: '3000' };

it('is read as it was stored', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.option(fc.constant('COBADEFF')), (name, bank) => {
      fc.pre(!name.includes(GAP));
      const destination = { ...ADA, name, bank };
      expect(destinationIn(destinationText(destination))).toEqual(destination);
    }),
  );
});

it('a name that holds what stands between the parts ends no part', () => {
  const shown = { ...ADA, name: 'A\ufffdd\ufffda' };
  const written = destinationText({ ...ADA, name: `A${GAP}d${GAP}a` });
  expect([written.split(GAP).length, destinationIn(written)]).toEqual([5, shown]);
  const stored = [`A${GAP}d${GAP}a`, 'sepa', 'DE', 'COBADEFFXXX', '3000'].join(GAP); // as it was written before
  expect(destinationIn(stored)).toEqual(shown);
});
