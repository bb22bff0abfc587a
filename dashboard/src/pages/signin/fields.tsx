/** The fields by which people show who they are: at the sign-in, and once more before something that counts. */
import { PasswordInput, TextInput } from '@mantine/core';

interface Props {
  readonly value: string;
  onChange(value: string): void;
  readonly error: string | undefined;
  /** Where the cursor is when it appears. */
  readonly isFirst?: boolean;
}

/** Six digits of an app, or a recovery code. */
export const CodeField = ({ value, onChange, error, isFirst = false }: Props) => (
  <TextInput
    label="Code of your app"
    description="Six digits, or one of your recovery codes."
    autoComplete="one-time-code"
    value={value}
    maxLength={30}
    onChange={(event) => onChange(event.currentTarget.value)}
    error={error}
    autoFocus={isFirst}
    data-autofocus={isFirst || undefined}
  />
);

/** As it is sent: without the spaces that apps and people put in. */
export const plainCode = (code: string): string => code.replaceAll(/\s/g, '');

export const PasswordField = ({ value, onChange, error, isFirst = false }: Props) => (
  <PasswordInput
    label="Password"
    autoComplete="current-password"
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    error={error}
    visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    data-autofocus={isFirst || undefined}
  />
);
