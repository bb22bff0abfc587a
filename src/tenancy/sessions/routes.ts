/**
 * The operations of sessions, which browsers alone use: they are no part of the API. What each answers: docs/decisions/0105. What
 * a request must look like before it gets here: `platform/http/door.ts`.
 */
import { type DoorOperation, doorOperation as operation } from '../../platform/http/door.ts';
import * as account from './account.ts';
import type { SignInParts } from './parts.ts';
import * as schema from './schema.ts';
import * as signIn from './sign-in.ts';

export function sessionOperations(parts: SignInParts): DoorOperation[] {
  return [
    operation('GET /session', (call) => signIn.showSession(parts, call)),
    operation('POST /session/claim', (call) => signIn.byLink(parts, call), schema.tokenParams),
    operation('POST /session/password', (call) => signIn.byPassword(parts, call), schema.passwordParams),
    operation('POST /session/passkey/options', (call) => signIn.askForPasskey(parts, call)),
    operation(
      'POST /session/passkey/verify',
      (call) => signIn.byPasskey(parts, { ...call, body: call.body.assertion }),
      schema.assertionParams,
    ),
    operation('POST /session/end', (call) => signIn.signOut(parts, call)),
    operation('GET /sessions', (call) => account.listSessions(parts, call)),
    operation('POST /sessions/:id/end', (call) => account.endSession(parts, call)),
    operation('POST /sessions/end_others', (call) => account.endOthers(parts, call)),
    operation('POST /person', (call) => account.updatePerson(parts, call), schema.personParams),
    operation('GET /passkeys', (call) => account.listPasskeys(parts, call)),
    operation('POST /passkeys/options', (call) => account.askForNewPasskey(parts, call)),
    operation('POST /passkeys', (call) => account.addPasskey(parts, call), schema.passkeyParams),
    operation('POST /passkeys/:id/remove', (call) => account.removePasskey(parts, call)),
    operation('POST /totp/start', (call) => account.startTotp(parts, call)),
    operation('POST /totp/confirm', (call) => account.confirmTotp(parts, call), schema.codeParams),
    operation('POST /step_up/options', (call) => account.askToStepUp(parts, call), schema.askParams),
    operation('POST /step_up', (call) => account.stepUp(parts, call), schema.stepUpParams),
  ];
}
