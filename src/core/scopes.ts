/** Scopes such as `payouts:read`: which open an operation, and which let a key know of an object. */
import type { Prefix } from './values/ids.ts';

/** Whether scopes such as `payouts:read` open an operation. To write a resource is to read it too (contract, section 7). */
export function covers(scopes: { has(scope: string): boolean }, scope: string): boolean {
  return scopes.has(scope) || (scope.endsWith(':read') && scopes.has(scope.replace(/read$/, 'write')));
}

/** The resource that objects with this prefix are read with. Of one that is not in the list, secret keys alone may know. */
const RESOURCES: Readonly<Partial<Record<Prefix, string>>> = {
  acct: 'accounts',
  stm: 'accounts',
  trf: 'transfers',
  rcp: 'recipients',
  quo: 'exchanges',
  exc: 'exchanges',
  po: 'payouts',
  pob: 'payouts',
  so: 'standing_orders',
  sor: 'standing_orders',
  plink: 'payment_links',
  pay: 'payments',
  we: 'webhook_endpoints',
  rep: 'webhook_endpoints',
  dlv: 'webhook_endpoints',
  key: 'keys',
  ba: 'bank',
};

/** Whether scopes let a key know of the object with this id; `null`: everything. */
export function mayKnow(scopes: ReadonlySet<string> | null, id: string): boolean {
  if (scopes === null) return true;
  const resource = RESOURCES[id.slice(0, id.lastIndexOf('_')) as Prefix];
  return resource !== undefined && covers(scopes, `${resource}:read`);
}
