/**
 * Where the money of a payout is and what to do, in words to read out: the first thing on its page. The history of a newer server
 * says it better (`summary`); this is for a server without one, and for the heading.
 */
import type { Payout } from '../../../../client/src/generated/types.ts';
import { holdsInWords, isHeld } from '../../ui/payout-words.ts';

export interface Why {
  readonly tone: 'bad' | 'wait' | 'plain';
  readonly title: string;
  readonly text: string;
}

/** `today`: by the environment's clock. `dayOf` writes a day. */
export function whyOf(payout: Payout, today: string, dayOf: (day: string) => string): Why {
  const back = 'The money is back on the account.';
  switch (payout.status) {
    case 'failed':
      return { tone: 'bad', title: payout.failure_message ?? 'It failed.', text: `${said(payout)}${back}` };
    case 'returned': {
      const isPart = payout.amount_returned_minor < payout.amount_minor;
      const text = isPart ? 'A part of the money is back on the account.' : back;
      return { tone: 'bad', title: payout.failure_message ?? 'It came back.', text: `${said(payout)}${text}` };
    }
    case 'canceled': {
      const rejection = payout.release?.rejection ?? null;
      const debited = payout.transfer === null ? 'Nothing was debited.' : back;
      if (rejection === null) return { tone: 'plain', title: 'It was canceled before it left.', text: debited };
      const reason = rejection.reason ?? '';
      return { tone: 'plain', title: reason === '' ? 'It was rejected.' : `It was rejected: ${reason}`, text: debited };
    }
    case 'waiting':
      return {
        tone: 'wait',
        title: 'It waits for money.',
        text: `Nothing has been debited.${payout.wait_until_on === null ? '' : ` It waits until ${dayOf(payout.wait_until_on)}.`}`,
      };
    case 'pending': {
      if (isHeld(payout)) return held(payout);
      if (payout.scheduled_on !== null)
        return { tone: 'plain', title: `It leaves on ${dayOf(payout.scheduled_on)}.`, text: 'The money is set aside.' };
      return { tone: 'plain', title: 'It has not left yet.', text: `The money is set aside.${arrival(payout, dayOf)}` };
    }
    case 'in_transit': {
      const due = payout.expected_arrival_on;
      if (due !== null && due < today)
        return {
          tone: 'wait',
          title: `It should have arrived by ${dayOf(due)}.`,
          text: 'The bank has not said yet what became of it.',
        };
      return { tone: 'plain', title: 'It is on its way.', text: arrival(payout, dayOf).trim() };
    }
    case 'paid':
      return { tone: 'plain', title: 'It was paid.', text: '' };
  }
}

function held({ release }: Payout): Why {
  const done = release?.approvals.length ?? 0;
  const needed = release?.approvals_required ?? 1;
  const count = needed === 1 ? '' : ` ${done} of ${needed} have approved.`;
  const text = `${holdsInWords(release?.reasons ?? [])}${count}`.trim();
  return { tone: 'wait', title: 'It waits for approval.', text };
}

function said({ bank_reason: reason }: Payout): string {
  const words = [reason?.code, reason?.text].filter((each) => (each ?? '') !== '');
  return words.length === 0 ? '' : `The bank said: ${words.join(', ')}. `;
}

const arrival = ({ expected_arrival_on: day }: Payout, dayOf: (day: string) => string): string =>
  day === null ? '' : ` It should arrive by ${dayOf(day)}.`;
