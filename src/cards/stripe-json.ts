/** What is read of Stripe's JSON, from answers and notifications alike: never a rounded number, never one of two members. */
import { readJson } from '../http/request/json.ts';
import { isObject, NumberText, type Tree } from '../http/request/param.ts';
import { AcquirerError } from './acquirer.ts';

const MAX_DEPTH = 20;

export function parsed(json: string): Tree {
  try {
    return readJson(json, MAX_DEPTH);
  } catch {
    throw new AcquirerError('Stripe sent something that is not JSON, or says a thing twice.');
  }
}

export function member(tree: Tree, name: string): Tree {
  return isObject(tree) ? (tree[name] ?? null) : null;
}

export function text(tree: Tree, name: string): string | null {
  const value = member(tree, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A whole number that is not negative. */
export function whole(tree: Tree, name: string): bigint | null {
  const value = member(tree, name);
  return value instanceof NumberText && /^\d{1,15}$/.test(value.text) ? BigInt(value.text) : null;
}

export function flag(tree: Tree, name: string): boolean | null {
  const value = member(tree, name);
  return typeof value === 'boolean' ? value : null;
}
