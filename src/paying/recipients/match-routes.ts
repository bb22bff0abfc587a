/** The operations that look for recipients by name and account. They write nothing. Who compares: `match-decide.ts`. */
import { exampleOf } from '../../platform/http/object-schema.ts';
import { answers, type Call, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import { RECIPIENT } from './fields.ts';
import { accountOf, byAccount, matchOf } from './match-decide.ts';
import { matchBatchParams, matchParams, MAX_MATCHES, type SoughtPayee } from './match-parameters.ts';
import { renderMatch, renderMatches } from './match-schema.ts';
import type { RecipientSeals } from './sealing.ts';
import { loadOfAccounts, RECIPIENTS } from './sql.ts';

const route = routesOf('Recipients', 'recipients');

const ADA = { name: 'Ada Lovelace', currency: 'EUR', iban: 'DE89370400440532013000' };
const FOUND = {
  object: 'recipient_match',
  status: 'found',
  name: 'Ada Lovelace',
  recipient: exampleOf(RECIPIENT, { bank_details: { iban: '******************3000' } }),
  candidates: [],
  errors: [],
};
const NEW = { ...FOUND, status: 'new', name: 'Grace Hopper', recipient: null };

export function matchRoutes(service: Service, parts: { readonly seals: RecipientSeals }): Route[] {
  /** The JSON of each match. At most one statement. */
  const matches = async (
    { environmentId, livemode }: Call<unknown, unknown>['caller'],
    all: readonly SoughtPayee[],
  ) => {
    const fingerprints = all.flatMap(({ payee }) =>
      payee === null ? [] : parts.seals.fingerprintsOf(environmentId, payee.details),
    );
    const wanted = Array.from(new Set(fingerprints), (fingerprint) => ({ environmentId, fingerprint }));
    const rows = wanted.length === 0 ? [] : await service.rows(loadOfAccounts(wanted));
    const known = byAccount(rows.map((row) => parts.seals.recipient.open(RECIPIENTS.read(row))));
    return all.map((sought) => {
      if (sought.payee === null) return renderMatch(sought, null, livemode);
      const payee = { ...sought.payee, bankDetails: sought.payee.details };
      return renderMatch(sought, matchOf(payee, known.get(accountOf(payee)) ?? []), livemode);
    });
  };
  return [
    route('matchRecipient', 'POST /v1/recipients/match', {
      summary: 'Look for a recipient by name and account',
      description:
        'The account finds the recipient, and the name has to agree. Case, accents, blanks and punctuation do not count, nor does the alphabet: `Jörg Müller` is `JOERG MUELLER`. Only active recipients paid in `currency` count. Nothing is written.',
      looksOnly: true,
      body: matchParams,
      request: ADA,
      response: answers('RecipientMatch', FOUND),
      handle: async (call) => {
        const [body] = await matches(call.caller, [call.body]);
        return { status: 200, body: body as string };
      },
    }),
    route('matchRecipientBatch', 'POST /v1/recipients/match/batch', {
      summary: `Look for up to ${MAX_MATCHES} recipients by name and account`,
      description:
        'As for one payee, with a result for each in the order sent. A payee with faults is `invalid`, and the others are looked for. `POST /v1/payouts/batch` takes the same names and accounts.',
      looksOnly: true,
      body: matchBatchParams,
      request: { payees: [ADA, { ...ADA, name: 'Grace Hopper', iban: 'NL91ABNA0417164300' }] },
      response: answers('RecipientMatchBatch', {
        object: 'recipient_match_batch',
        results: [FOUND, NEW],
      }),
      handle: async (call) => ({ status: 200, body: renderMatches(await matches(call.caller, call.body.payees)) }),
    }),
  ];
}
