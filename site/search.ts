/**
 * Words under which readers look for a place of the site, beside those that stand there. The index of the search that VitePress makes gets
 * them as a field of its own, `keywords`, which counts more than any other. Next: `.vitepress/config.mjs`, which asks for that field.
 */

/** Place on the site, as the index names it without `/docs/` → words, as people type them. */
export const KEYWORDS: Readonly<Record<string, string>> = {
  'glossary#glossary': 'glossary terms vocabulary words definitions meaning',
  'concepts#account': 'account accounts',
  'concepts#payout': 'payout payouts',
  'concepts#concepts': 'concepts overview model objects basics how it works',
  'faq#questions': 'faq questions',
  'comparison#comparison':
    'comparison compare alternatives versus stripe wise airwallex formance blnk hyperswitch tigerbeetle',
  'moving#moving-from-stripe-or-wise': 'migrate migration moving move switch stripe wise',
  'sizing#sizing': 'sizing hardware requirements ram memory cores cpu disk capacity',
  'troubleshooting#troubleshooting': 'troubleshooting problem broken help debug',
  'troubleshooting#the-service-does-not-start': 'port use start eaddrinuse root',
  'troubleshooting#a-payout-failed': 'failed payout failure failing rejected bounced',
  'troubleshooting#a-payout-does-not-move': 'stuck processing hanging',
  'troubleshooting#a-webhook-does-not-arrive': 'webhook not arriving missing received',
  'troubleshooting#the-key-is-not-accepted-401': '401 unauthorized',
  'guides/first-payout#the-first-payout': 'quickstart getting started tutorial hello first',
  'guides/installing#installing': 'install docker kubernetes helm systemd deploy deployment',
  'guides/integrating#amounts': 'amount minor units cents decimal',
  'guides/integrating#keys': 'api key authentication scopes permissions restricted',
  'guides/integrating#lists': 'pagination paging cursor',
  'guides/recipients#recipients': 'recipient beneficiary payee iban bic swift',
  'guides/approvals#limits-and-the-second-person': 'approval approve approvals four eyes second person',
  'guides/approvals#limits': 'limit limits',
  'guides/bulk-payouts#bulk-payouts': 'batch batches bulk csv',
  'guides/exchanges#at-a-promised-price': 'quote quotes locked rate',
  'guides/bank-reference#payment-files': 'sepa pain sct instant iso20022',
  'guides/retries#retries': 'idempotency idempotent retry duplicate twice',
  'guides/exchanges#exchanges': 'fx currency conversion convert exchange',
  'guides/operating/backups#backups': 'backup restore',
  'guides/dashboard#the-dashboard-for-people': 'dashboard ui web interface admin panel login',
  'sandbox#three-months-of-a-small-company': 'demo data sample example seed fill',
  'guides/dashboard#invite-people': 'roles role users permissions invite invitation team',
  'guides/operating/dashboard#people-on-the-machine': 'lost passkey reset password sign in login link',
  'guides/upgrading#upgrading': 'upgrade update version migration',
  'payment-links#payment-links': 'payment link links checkout page',
  'payment-links#sending-money-back': 'refund refunds reversal chargeback money back',
  'webhooks#your-receiver': 'receiver verify signature php ruby python go node',
  'webhooks#webhooks': 'webhook webhooks callback notification',
  'reference/payouts/create-payout#create-a-payout': 'create make send payout',
  'sandbox#accounts-that-decide-how-a-payout-ends': 'test account numbers simulate failure',
};

/** A place that is no heading, and so none of VitePress's own entries. */
export interface Entry {
  /** As in `KEYWORDS`. */
  readonly place: string;
  readonly title: string;
  /** Of the page. */
  readonly above: string;
}

/** The codes of the errors page, each of which has a place in its table. */
export function codesIn(markdown: string): readonly Entry[] {
  return [...markdown.matchAll(/<a id="([a-z_]+)"><\/a>/g)].map(([, code]) => ({
    place: `errors#${code}`,
    title: code as string,
    above: 'Errors',
  }));
}

/** MiniSearch's own form of an index, as far as this file reads it. */
interface Index {
  documentCount: number;
  nextId: number;
  readonly documentIds: Record<string, string>;
  readonly fieldIds: Record<string, number>;
  readonly fieldLength: Record<string, number[]>;
  readonly averageFieldLength: number[];
  readonly storedFields: Record<string, { readonly title: string; readonly titles: readonly string[] }>;
  /** Term → number of a field → number of a document → how often. */
  readonly index: [term: string, Record<string, Record<string, number>>][];
}

/**
 * The index as text, with `entries` and, in the field `keywords`, with words for places. Throws for words of a place that is neither a
 * heading nor an entry.
 */
export function withKeywords(
  text: string,
  keywords: Readonly<Record<string, string>>,
  entries: readonly Entry[] = [],
): string {
  const made = JSON.parse(text) as Index;
  const field = made.fieldIds['keywords'] ?? Object.keys(made.fieldIds).length;
  made.fieldIds['keywords'] = field;
  const terms = new Map(made.index);
  const add = (words: readonly string[], fieldId: number, document: string) => {
    for (const word of words) {
      const fields = terms.get(word) ?? {};
      fields[fieldId] = { ...fields[fieldId], [document]: 1 };
      terms.set(word, fields);
    }
    (made.fieldLength[document] as number[])[fieldId] = words.length;
  };

  for (const { place, title, above } of entries) {
    const document = String(made.nextId++);
    made.documentCount += 1;
    made.documentIds[document] = `/docs/${place}`;
    made.storedFields[document] = { title, titles: [above] };
    made.fieldLength[document] = made.averageFieldLength.map(() => 1);
    add([...new Set(title.split('_'))], made.fieldIds['title'] as number, document);
  }

  const numbers = new Map(Object.entries(made.documentIds).map(([number, place]) => [place, number]));
  let total = 0;
  for (const [place, words] of Object.entries(keywords)) {
    const document = numbers.get(`/docs/${place}`);
    if (document === undefined) throw new Error(`site/search.ts has words for ${place}, which the site does not have.`);
    const own = [...new Set(words.split(' '))];
    add(own, field, document);
    total += own.length;
  }
  made.averageFieldLength[field] = total / Object.keys(keywords).length;
  return JSON.stringify({ ...made, index: [...terms] });
}
