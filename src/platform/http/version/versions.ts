/**
 * Versions of the API. The code knows one, the newest; each older one is a value that changes answers of the version after it into
 * its own, and its requests into those of the version after it (decision 0094). The newest costs a null check. Next: `changes.ts`;
 * who asks in which version: `platform/http/serve.ts`.
 */
import { RequestError } from '../../../core/values/errors.ts';
import { quoted } from '../../../core/values/money.ts';
import { API_VERSION, API_VERSION_PATTERN } from '../../../core/values/version.ts';
import { invalid, type Param, param, type Tree } from '../request/param.ts';
import { newForm, oldForm, type TreeObject } from './changes.ts';
import { type Deprecation, deprecationHeaders } from './deprecation.ts';

/**
 * What makes a version differ from the one after it. Functions are pure. Each takes an object with any of its members missing or null,
 * as `previous_attributes` and CSV have them, says nothing else about money, and leaves the older form as it is: what was stored in
 * that form is shown in it. Numbers are `NumberText`.
 */
export interface Change {
  /** A sentence for the changelog: what the version after it does otherwise. */
  readonly about: string;
  /** From the newer form to the older one, by `object`: of answers and of events. `error`: what stands under this name. */
  readonly objects?: Readonly<Record<string, (newer: TreeObject) => TreeObject>>;
  /** From the older form to the newer one, by operation id: the parameters of a write's body, or of a read's query. */
  readonly requests?: Readonly<Record<string, (older: TreeObject) => TreeObject>>;
}

/** An older version that is still spoken. */
export interface PastVersion extends Pick<Deprecation, 'since' | 'sunset'> {
  readonly date: string;
  readonly changes: readonly Change[];
}

/** The newest first. There was only one version so far. */
export const PAST_VERSIONS: readonly PastVersion[] = [];

/** How an older version is spoken. */
export interface Past {
  /** Names and values of `Deprecation` and `Sunset`, in turn. */
  readonly deprecation: readonly string[];
  /** The JSON of an answer, an object or an event of the newest version in this one. Of a body of the older form: the same. */
  answer(json: string): string;
  /** The columns of a list as CSV. `object`: the name of what it lists. */
  columns(object: string, columns: readonly string[]): readonly string[];
  /** Parameters of this version as the newest one takes them. */
  request(operationId: string, parameters: Tree): Tree;
}

export interface Version {
  readonly date: string;
  /** `null`: the newest, which needs no change. */
  readonly past: Past | null;
}

export const NEWEST: Version = { date: API_VERSION, past: null };

export class Versions {
  /** Newest first. */
  readonly dates: readonly string[];
  readonly #known: ReadonlyMap<string, Version>;

  /** Throws for dates out of order, and for a notice that is too short: mistakes of ours, seen at the start. */
  constructor(past: readonly PastVersion[] = PAST_VERSIONS) {
    this.dates = [API_VERSION, ...past.map(({ date }) => date)];
    if (this.dates.some((date, at) => at > 0 && date >= (this.dates[at - 1] as string))) {
      throw new Error(`Versions are dates, the newest first: ${this.dates.join(', ')}`);
    }
    const older = past.map(
      (each, at) => [each.date, { date: each.date, past: pastOf(past.slice(0, at + 1)) }] as const,
    );
    this.#known = new Map<string, Version>([[API_VERSION, NEWEST], ...older]);
  }

  /** The version of a header, if it is one; else `otherwise`. */
  asked(header: string | readonly string[] | undefined, otherwise: Version = NEWEST): Version {
    return header === undefined ? otherwise : (this.#known.get(String(header)) ?? otherwise);
  }

  /** `version_unknown` for a date that is none. `param`: a parameter; left out: the header. */
  named(date: string, param?: string): Version {
    const version = this.#known.get(date);
    if (version !== undefined) return version;
    const what = param ?? `The header ${VERSION_HEADER}`;
    const next =
      param === undefined
        ? 'Send one of these, or leave the header out for that of your key.'
        : 'Send one of these, or leave it out.';
    const message = `${what} must be the date of a version of the API, got ${quoted(date.slice(0, 60))}. There are: ${this.dates.join(', ')}. ${next}`;
    throw new RequestError('version_unknown', message, { ...(param !== undefined && { param }), allowed: this.dates });
  }

  /**
   * What a key or an endpoint is pinned to. Where a newer or an older build pinned it, the date may be unknown here: then the newest
   * version before that day, or the oldest one.
   */
  pinned(date: string): Version {
    const nearest = this.dates.find((each) => each <= date) ?? this.dates.at(-1);
    return this.#known.get(nearest ?? API_VERSION) ?? NEWEST;
  }
}

/** In requests and answers. */
export const VERSION_HEADER = 'Bursar-Version';

/** A parameter that names a version; whether there is such a one says `Versions.named`. */
export const versionParam = (description: string): Param<string> =>
  param({ description, example: API_VERSION }, { type: 'string', pattern: API_VERSION_PATTERN }, (value, path) => {
    if (typeof value === 'string') return value;
    throw invalid(path, value, `the date of a version, such as ${API_VERSION}`);
  });

/** `path`: the versions from the one before the newest down to this one. */
function pastOf(path: readonly PastVersion[]): Past {
  const last = path.at(-1) as PastVersion;
  const changes = path.flatMap((each) => each.changes);
  const answer = oldForm(
    changes.map(({ objects }) => new Map(Object.entries(objects ?? {}))),
    last.date,
  );
  return {
    deprecation: deprecationHeaders({ ...last, instead: API_VERSION }),
    answer,
    columns(object, columns) {
      const empty = Object.fromEntries(columns.map((name) => [name, name === 'object' ? object : null]));
      return Object.keys(JSON.parse(answer(JSON.stringify(empty))) as object);
    },
    request: newForm(changes.toReversed().map(({ requests }) => new Map(Object.entries(requests ?? {})))),
  };
}
