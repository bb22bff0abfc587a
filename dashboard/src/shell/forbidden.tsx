/** The page is not for this role: which role lets one do it here, and who can give it. Its code and its data are never asked for. */
import { useHere } from '../api/environment.tsx';
import { useActor } from '../api/me.ts';
import { Page } from '../ui/page.tsx';
import { rolesThatMay, rolesInWords } from '../ui/roles.ts';
import { useAdministrators } from '../ui/who.tsx';

interface Props {
  readonly scope: string;
  /** `see keys`. */
  readonly verb?: string | undefined;
}

export function Forbidden({ scope, verb = 'see this page' }: Props) {
  const { mode } = useHere();
  const own = useActor();
  const others = useAdministrators().filter(({ id }) => id !== own);
  const names = others.map(({ name, email, id }) => name ?? email ?? id).join(', ');
  const roles = rolesThatMay(scope, mode);
  return (
    <Page title="Not for your role">
      <div className="condition">
        <p>You may not {verb}.</p>
        <p>
          {roles.length === 0 ? 'Any role lets you' : `These roles may: ${rolesInWords(roles)}`}.{' '}
          {names === '' ? 'An administrator of your company can give you one.' : `Ask for one: ${names}.`}
        </p>
      </div>
    </Page>
  );
}
