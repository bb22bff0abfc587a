/** Where an id leads: by its prefix. */
const PAGES: Readonly<Record<string, string>> = {
  po: '/payouts',
  pob: '/batches',
  acct: '/accounts',
  rcp: '/recipients',
  exc: '/exchanges',
  pay: '/payments',
  plink: '/payment-links',
  xp: '/expected-payments',
  so: '/standing-orders',
  evt: '/events',
  req: '/requests',
  we: '/webhooks',
  key: '/keys',
  usr: '/people',
  ba: '/bank-accounts',
  pf: '/payment-files',
  bs: '/bank-statements',
  be: '/bank-entries',
};

/** `po_01mak…` → `/payouts/po_01mak…`; `undefined` where nothing has a page. */
export function hrefOf(id: string): string | undefined {
  const page = PAGES[id.slice(0, Math.max(0, id.indexOf('_')))];
  return page === undefined ? undefined : `${page}/${id}`;
}
