/**
 * Answers of the newest version in an older form, and requests of an older form in the newest. Numbers stay as they are written, so
 * `25.50` stays that. What merchants write (`metadata`) is left alone, whatever it looks like. Pure. Which changes: `versions.ts`.
 */
import { readOwnJson } from '../request/json.ts';
import { emptyFormObject, emptyObject, isFormObject, isObject, NumberText, type Tree } from '../request/param.ts';

export type TreeObject = { readonly [name: string]: Tree };
type Steps = readonly ReadonlyMap<string, (object: TreeObject) => TreeObject>[];

/** Members whose names are the merchant's own. */
const OF_MERCHANTS: ReadonlySet<string> = new Set(['metadata', 'headers']);

/** `steps`: in the order in which they are taken, by kind of object. `date`: what events say as their `api_version`. */
export function oldForm(steps: Steps, date: string): (json: string) => string {
  const dated = new Map([['event', (event: TreeObject): TreeObject => ({ ...event, api_version: date })]]);
  const all = [...steps, dated];
  return (json) => written(all.reduce(changed, readOwnJson(json)));
}

/** Parts first: the change of an event finds its object in the older form. */
function changed(value: Tree, step: Steps[number]): Tree {
  if (Array.isArray(value)) return (value as readonly Tree[]).map((each) => changed(each, step));
  if (!isObject(value)) return value;
  const parts = emptyObject<Tree>();
  for (const name in value) {
    const each = value[name] as Tree;
    parts[name] = OF_MERCHANTS.has(name) ? each : changed(each, step);
  }
  const { error, object, previous_attributes: previous } = value;
  const ofError = step.get('error');
  if (ofError !== undefined && error !== undefined && isObject(error))
    parts['error'] = ofError(parts['error'] as TreeObject);
  if (typeof object === 'string') return step.get(object)?.(parts) ?? parts;
  // The data of an event: the object, and what some of its members were.
  if (object === undefined || !isObject(object) || previous === undefined || !isObject(previous)) return parts;
  const change = typeof object['object'] === 'string' ? step.get(object['object']) : undefined;
  if (change !== undefined) parts['previous_attributes'] = change(parts['previous_attributes'] as TreeObject);
  return parts;
}

/** `steps`: in the order in which they are taken, by operation. */
export function newForm(steps: Steps): (operationId: string, parameters: Tree) => Tree {
  return (operationId, parameters) => {
    const own = steps.flatMap((step) => step.get(operationId) ?? []);
    if (own.length === 0 || !isObject(parameters)) return parameters;
    const found = own.reduce((given, change) => change(given), parameters);
    return restored(found, isFormObject(parameters) ? emptyFormObject : emptyObject);
  };
}

/** In a form everything is text, which is seen by the kind of its objects: a change makes plain ones. */
function restored(value: Tree, empty: () => Record<string, Tree>): Tree {
  if (Array.isArray(value)) return (value as readonly Tree[]).map((each) => restored(each, empty));
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy = empty();
  for (const [name, each] of Object.entries(value)) copy[name] = restored(each, empty);
  return copy;
}

function written(value: Tree): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${(value as readonly Tree[]).map(written).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}:${written(each)}`)
    .join(',')}}`;
}
