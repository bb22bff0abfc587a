/** Roles, each with what it may do; they add up. */
import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { needsSecondFactor, ROLES, roleWarning } from '../../ui/roles.ts';

interface Props {
  readonly roles: readonly string[];
  readonly isLive: boolean;
  readonly error: ReactNode;
  onChange(roles: readonly string[]): void;
}

export function RolesField({ roles, isLive, error, onChange }: Props) {
  const warning = roleWarning(roles);
  return (
    <div className="stack">
      <Checkbox.Group label="Roles" value={[...roles]} onChange={onChange} error={error}>
        <div className="stack">
          {ROLES.map(({ role, name, may }) => (
            <Checkbox key={role} value={role} label={name} description={may} />
          ))}
        </div>
      </Checkbox.Group>
      {warning !== null && (
        <p className="bad" role="status">
          {warning}
        </p>
      )}
      {isLive && needsSecondFactor(roles) && (
        <p className="small muted">In live these roles need a passkey, or an app that makes codes.</p>
      )}
    </div>
  );
}
