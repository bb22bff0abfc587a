/** Until when statements prove a bank account, in words. A statement proves; what was given a place by hand is no proof. */
import type { Summary } from '../../api/shapes.ts';
import { State } from '../../ui/state.tsx';
import { Day } from '../../ui/time.tsx';
import { driftWords } from './month-lines.ts';

/** As the summary has it, of one bank account. */
export type Standing = Summary['bank'][number];

export function Proof({ standing }: { readonly standing: Standing }) {
  const { proved_until_on: until, drift_minor: drift, currency } = standing;
  if (until === null) return 'none yet, so nothing is proved';
  if (drift !== null && drift !== 0)
    return (
      <>
        <State mark="bad" word="bank and books differ" />. {driftWords(drift, currency)}.
      </>
    );
  return (
    <>
      agree with the books until <Day on={until} />
    </>
  );
}

export const unanswered = (count: number): string =>
  count === 0 ? 'each was answered' : `${count} without an answer of the bank`;
