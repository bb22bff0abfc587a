/** Scopes such as `payouts:read`. */

/** Whether scopes such as `payouts:read` open an operation. To write a resource is to read it too (contract, section 7). */
export function covers(scopes: { has(scope: string): boolean }, scope: string): boolean {
  return scopes.has(scope) || (scope.endsWith(':read') && scopes.has(scope.replace(/read$/, 'write')));
}
