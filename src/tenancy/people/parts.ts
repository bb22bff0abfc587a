/**
 * What users need from outside their slice. Links are kept and shown as an answer leaves, because the command that made them was pure; sessions
 * belong to `tenancy/sessions`, which is not there yet where `endSessions` says so.
 */
import type { Actor } from '../../core/actor.ts';
import { newId } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Answer, Caller } from '../../platform/http/route.ts';
import { hashOfToken, keepLink, linkIn, type LinkKind, type LinkMaker, urlOf } from './links.ts';

export interface UserParts {
  readonly maker: LinkMaker;
  /** The id of a new user. */
  newUser(this: void): string;
  /** The answer with its link kept, and shown while it opens its door; other answers as they are. */
  opened(this: void, caller: Caller, answer: Answer): Promise<Answer>;
  /**
   * Signs a person out. `user`: as whom an environment knows the person; its sessions end for all environments, since they are the person's.
   * `except`: the id of a session that stays.
   */
  endSessions(this: void, environmentId: string, user: string, except?: string): Promise<void>;
}

export interface UserPartsOptions {
  readonly maker: LinkMaker;
  rows(this: void, statement: Statement): Promise<readonly Row[]>;
  /** Where people open the dashboard, without a trailing slash. */
  baseUrl(this: void): string;
  readonly endSessions: UserParts['endSessions'];
}

export function userParts({ maker, rows, baseUrl, endSessions }: UserPartsOptions): UserParts {
  return {
    maker,
    endSessions,
    newUser: () => newId('usr'),
    async opened({ environmentId, actorId: by }, answer) {
      const found = answer.status === 200 ? linkIn(answer.body) : null;
      if (found === null) return answer;
      const { rest, link, user } = found;
      const url = await keptLink({ maker, rows, baseUrl }, link, {
        environmentId,
        user,
        person: null,
        by: by as Actor,
      });
      return { ...answer, body: url === null ? rest : `${rest.slice(0, -1)},"${MEMBERS[link.kind]}":"${url}"}` };
    },
  };
}

const MEMBERS = { invite: 'invitation_url', reset: 'reset_url' } as const;

/** Keeps a link, and resolves with its URL; `null`: it opens nothing any more. For the command line too. */
export async function keptLink(
  { maker, rows, baseUrl }: Pick<UserPartsOptions, 'maker' | 'rows' | 'baseUrl'>,
  { id, kind, endsAt }: { readonly id: string; readonly kind: LinkKind; readonly endsAt: number },
  about: Parameters<typeof keepLink>[1],
): Promise<string | null> {
  const tokens = maker.tokensOf(id);
  const token = tokens[0];
  const kept = { kind, endsAt, hash: hashOfToken(token), known: tokens.map(hashOfToken) };
  const found = await rows(keepLink(kept, about));
  return found.length === 0 ? null : urlOf(baseUrl(), kind, token);
}
