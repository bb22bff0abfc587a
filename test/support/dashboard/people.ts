/** People of tests: invited by the API, joined by their link, with a passkey each. */
import type { Application } from '../harness/application.ts';
import { must } from '../harness/tenant-fixture.ts';
import { BrowserClient } from './browser-client.ts';

export type Holder = Application['sandbox'];

const tokenIn = (url: string): string => url.slice(url.indexOf('=') + 1);

export interface Invited {
  readonly user: string;
  readonly token: string;
}

let count = 0;

/** Invites somebody with these roles to the environment of the key. */
export async function invite(
  holder: Holder,
  roles: readonly string[],
  email = `person${++count}@example.com`,
): Promise<Invited> {
  const { json } = must(await holder.client.post('/v1/users', { email, roles }));
  return { user: json['id'] as string, token: tokenIn(json['invitation_url'] as string) };
}

/** The token of a new link for the user. */
export async function resetToken(holder: Holder, user: string): Promise<string> {
  const { json } = must(await holder.client.post(`/v1/users/${user}/reset_link`));
  return tokenIn((json['reset_url'] ?? json['invitation_url']) as string);
}

export interface Member {
  readonly browser: BrowserClient;
  /** As the environment of the first holder knows it. */
  readonly user: string;
}

/** Somebody who has joined the environments of these keys, in their order, and has a passkey unless `enrols` is false. */
export async function member(
  application: Application,
  holders: readonly Holder[],
  roles: readonly string[],
  enrols = true,
): Promise<Member> {
  const browser = new BrowserClient(application.address);
  const email = `person${++count}@example.com`;
  const users: string[] = [];
  for (const holder of holders) {
    const { user, token } = await invite(holder, roles, email);
    const claimed = await browser.post('/session/claim', { token });
    if (claimed.status !== 200) throw new Error(claimed.text);
    users.push(user);
    if (users.length > 1 || !enrols) continue;
    const enrolled = await browser.enrol();
    if (enrolled.status !== 200) throw new Error(enrolled.text);
  }
  return { browser, user: users[0] as string };
}
