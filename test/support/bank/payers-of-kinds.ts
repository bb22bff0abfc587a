/**
 * Payers of fourteen kinds, for rehearsals of money in: each kind sets the stage over the API, says what its payer sends, and where that must
 * end. Next: `rehearsal-money-in.ts`; payers who write adversarial texts: `payers.ts`.
 */
import { depositReference } from '../../../src/core/rails/creditor-reference.ts';
import { newReference, newToken } from '../../../src/collecting/payments/tokens.ts';
import type { Command } from '../../../src/write/slices.ts';
import type { Json } from '../harness/http.ts';
import type { Credit } from './simulated-bank.ts';

/** What a stage is set with. */
export interface Stage {
  post(path: string, body: object): Promise<Json>;
  submit(command: Command): Promise<Json>;
  /** Runs statements that no request can: time that passes. */
  sql(text: string, values: readonly unknown[]): Promise<unknown>;
  readonly account: string;
  /** Where the rule for card settlements leads. */
  readonly settlements: string;
}

/** Where the money of a payer must end. */
export interface End {
  readonly kind: string;
  readonly currency: 'EUR' | 'USD';
  readonly credits: readonly Credit[];
  /** By the bank's reference: what its entry is assigned to. `duplicate`: a payment of its own; `null`: to nothing. */
  readonly entries: ReadonlyMap<string, string | null>;
  /** Of payments and expected payments. */
  readonly states: ReadonlyMap<string, string>;
}

const AMOUNT = 100n * 100n;

interface Payment {
  readonly id: string;
  readonly link: string;
  readonly reference: string;
}

async function started(stage: Stage, link?: string): Promise<Payment> {
  const { id } = link === undefined ? await newLink(stage) : { id: link };
  const reference = newReference();
  const payment = await stage.submit({
    type: 'start_payment',
    link: id as string,
    method: 'bank_transfer',
    amount: null,
    token: newToken(),
    reference,
  });
  return { id: payment['id'] as string, link: id as string, reference };
}

const newLink = ({ post, account }: Stage) =>
  post('/v1/payment_links', { amount: 100, currency: 'EUR', account, description: 'Cup' });

const giveUp = ({ submit }: Stage, { id }: Payment) =>
  submit({ type: 'fail_payment', payment: id, reason: 'canceled', session: null });

const inLines = (reference: string): readonly string[] => [
  `Invoice 7 ${reference.slice(0, 4)} ${reference.slice(4, 9)}`,
  `${reference.slice(9)} thank you`,
];

type Kind = (stage: Stage, name: string) => Promise<Omit<End, 'kind' | 'currency'> & { readonly currency?: 'USD' }>;

const credit = (reference: string, detail: Credit['detail'], amount = AMOUNT): Credit => ({
  amount,
  reference,
  detail: { name: 'Eva Nováková', iban: 'NL91ABNA0417164300', ...detail },
});

/** One credit with the reference of a payment, which ends in a state. */
async function pays(
  stage: Stage,
  name: string,
  {
    state = 'succeeded',
    amount = AMOUNT,
    prepare = () => Promise.resolve(),
    detail = (text: string) => ({ text }),
  }: {
    readonly state?: string;
    readonly amount?: bigint;
    readonly prepare?: (payment: Payment) => Promise<unknown>;
    readonly detail?: (reference: string) => Credit['detail'];
  },
): ReturnType<Kind> {
  const payment = await started(stage);
  await prepare(payment);
  return {
    credits: [credit(name, detail(payment.reference), amount)],
    entries: new Map([[name, payment.id]]),
    states: new Map([[payment.id, state]]),
  };
}

const nowhere = (name: string, detail: Credit['detail'], states: ReadonlyMap<string, string> = new Map()) => ({
  credits: [credit(name, detail)],
  entries: new Map([[name, null]]),
  states,
});

export const KINDS: Readonly<Record<string, Kind>> = {
  'a structured reference': (stage, name) =>
    pays(stage, name, { detail: (creditorReference) => ({ creditorReference }) }),
  'a reference in a text, with breaks': (stage, name) =>
    pays(stage, name, { detail: (reference) => ({ text: inLines(reference) }) }),
  'the reference of an account': (stage, name) =>
    Promise.resolve({
      credits: [credit(name, { text: `Top up ${depositReference(stage.account)}` })],
      entries: new Map([[name, stage.account]]),
      states: new Map(),
    }),
  'too little': (stage, name) => pays(stage, name, { state: 'partially_paid', amount: AMOUNT - 1n }),
  twice: async (stage, name) => {
    const payment = await started(stage);
    const names = [`${name}A`, `${name}B`] as const;
    return {
      credits: names.map((each) => credit(each, { text: payment.reference })),
      entries: new Map(names.map((each) => [each, 'duplicate'])),
      states: new Map([[payment.id, 'succeeded']]),
    };
  },
  late: (stage, name) => pays(stage, name, { prepare: (payment) => giveUp(stage, payment) }),
  'another currency': async (stage, name) => {
    const { id, reference } = await started(stage);
    return { ...nowhere(name, { text: reference }, new Map([[id, 'pending']])), currency: 'USD' };
  },
  'a link that is used up': (stage, name) =>
    pays(stage, name, {
      prepare: async (payment) => {
        await giveUp(stage, payment);
        const quick = await started(stage, payment.link);
        const paid = { type: 'receive_payment', payment: quick.id, amount: AMOUNT, session: null } as const;
        const by = { method: 'bank_transfer', payerName: null, payerIban: null } as const;
        await stage.submit({ ...paid, ...by });
      },
    }),
  'a link that has expired': (stage, name) =>
    pays(stage, name, {
      prepare: async ({ link }) => {
        const past = "UPDATE payment_links SET expires_at = now() - interval '1 minute' WHERE id = $1";
        await stage.sql(past, [link]);
        await stage.submit({ type: 'expire_payment_link', link });
      },
    }),
  'two references': async (stage, name) => {
    const [one, other] = [await started(stage), await started(stage)];
    const states = new Map([one, other].map(({ id }) => [id, 'pending']));
    return nowhere(name, { text: `${one.reference} ${other.reference}` }, states);
  },
  'an expected payment': async ({ post, account }, name) => {
    const asked = { amount: 100, currency: 'EUR', account, payer: 'Eva' };
    const { id, reference } = await post('/v1/expected_payments', asked);
    return {
      credits: [credit(name, { text: reference as string })],
      entries: new Map([[name, id as string]]),
      states: new Map([[id as string, 'paid']]),
    };
  },
  'a rule': ({ settlements }, name) =>
    Promise.resolve({
      credits: [credit(name, { text: `Card settlement ${name}`, name: 'Acquirer' })],
      entries: new Map([[name, settlements]]),
      states: new Map(),
    }),
  unknown: (_, name) => Promise.resolve(nowhere(name, { text: `Thank you ${name}` })),
};

/** The n-th payer; kinds take turns. */
export async function payerOf(stage: Stage, n: number): Promise<End> {
  const kinds = Object.entries(KINDS);
  const [kind, play] = kinds[n % kinds.length] as (typeof kinds)[number];
  return { kind, currency: 'EUR', ...(await play(stage, `R${n}X`)) };
}
